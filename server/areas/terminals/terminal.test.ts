import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { listeningLog } from '../../../test/support/stages/context.ts'
import { pretendSocket } from '../../../test/support/clients/pretend-socket.ts'
import { createHosts } from '../../remote/host.ts'
import { Terminal } from './terminal.ts'

const hosts = createHosts(listeningLog([]))
afterAll(() => hosts.close())

test('ends a shell without a client after a while, and not before', async () => {
  const host = hosts.get({ kind: 'local', id: 'here', dockerSocket: '/nowhere' })
  const onEnd = vi.fn<() => void>()
  const options = { onEnd, toLoss: async () => ({ reason: '', lost: true }), keepMilliseconds: 1_000 }
  const terminal = new Terminal(await host.shell({ cols: 80, rows: 24 }), options)
  const first = pretendSocket()
  terminal.attach(first.socket)
  first.lose()
  expect(terminal.isDetached).toBe(true)
  const second = pretendSocket()
  terminal.resume(second.socket, { cols: 80, rows: 24 })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect([terminal.isDetached, onEnd.mock.calls.length]).toEqual([false, 0])
  second.lose()
  await expect.poll(() => onEnd.mock.calls.length).toBe(1)
  expect([first.received, second.received]).toMatchObject([[{ resumed: false }], [{ resumed: true }]])
})

test('tells a returning client how much of the output was sent before', async () => {
  const host = hosts.get({ kind: 'local', id: 'here', dockerSocket: '/nowhere' })
  const options = { onEnd: () => {}, toLoss: async () => ({ reason: '', lost: true }) }
  const terminal = new Terminal(await host.shell({ cols: 80, rows: 24 }), options)
  onTestFinished(() => terminal.end(''))
  const first = pretendSocket()
  terminal.attach(first.socket)
  const said = () => Buffer.concat(first.sent).toString()
  first.type('stty -echo; echo be$((1))fore\r')
  await expect.poll(said).toContain('be1fore')
  const second = pretendSocket()
  terminal.resume(second.socket, { cols: 80, rows: 24 })
  expect(first.received[0]).toMatchObject({ resumed: false, replay: 0 })
  expect(second.received[0]).toMatchObject({ resumed: true, replay: second.sent[0]?.length })
  expect(second.sent[0]?.toString()).toBe(said())
})

test('ends an idle shell after a warning, and keeps one in use', async () => {
  const host = hosts.get({ kind: 'local', id: 'here', dockerSocket: '/nowhere' })
  const onEnd = vi.fn<() => void>()
  const options = { onEnd, toLoss: async () => ({ reason: '', lost: true }), idleMilliseconds: 3_000 }
  const terminal = new Terminal(await host.shell({ cols: 80, rows: 24 }), options)
  const { socket, received, type } = pretendSocket()
  terminal.attach(socket)
  // Only input counts as activity, not output.
  type('while :; do echo busy; sleep 0.2; done\r')
  const warning = {
    type: 'warning',
    text: 'No input for 2 seconds. This terminal closes in 2 seconds unless you type something.',
  }
  await expect.poll(() => received.slice(1)).toEqual([warning])
  type(' ')
  await expect.poll(() => received.slice(1)).toEqual([warning, warning])
  expect(onEnd).not.toHaveBeenCalled()
  const end = { type: 'end', reason: 'Closed after 3 seconds without input.', lost: false }
  await expect.poll(() => received.slice(1)).toEqual([warning, warning, end])
  await expect.poll(() => onEnd.mock.calls.length).toBe(1)
})
