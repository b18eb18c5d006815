import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { assertDone } from './apply.ts'
import { sendToWorker } from './runtime-api.ts'

/** Starts a fake proxy that sends this output and closes the connection. */
const proxy = (text: string) => ({
  dialSocket: async () => Duplex.from({ readable: [Buffer.from(text)], writable: async () => {} }),
})

test('reports why the proxy closed the connection, without entries of maps', async () => {
  const send = (text: string) => sendToWorker(proxy(text), ['show info', 'show map probes.map', 'show stat'])
  await expect(send('Permission denied\n')).rejects.toThrow('closed the connection: Permission denied.')
  await expect(send('')).rejects.toThrow('closed the connection: no output.')
  await expect(send('\n> Name: HAProxy\n\n> 0x1 hunter2 1\n')).rejects.toThrow(
    /closed the connection: > Name: HAProxy\.$/,
  )
})

test('reports a rejected command without entries of maps', () => {
  const reject = (command: string) => () => assertDone([command], ['Unknown map identifier.\n'])
  expect(reject('add map /probes.map hunter2 1')).toThrow(
    'The proxy rejected “add map /probes.map”: Unknown map identifier.',
  )
  expect(reject('set server app_a/s1 state ready')).toThrow('“set server app_a/s1 state ready”')
})
