import { afterAll, expect, test, vi } from 'vitest'
import { listeningLog } from '../../../test/context.ts'
import { createHosts } from '../../remote/hosts.ts'
import { Terminal, type TerminalSocket } from './terminal.ts'

const hosts = createHosts(listeningLog([]))
afterAll(() => hosts.close())

test('a shell that nobody comes back for ends after a while, and not before', async () => {
  const host = hosts.get({ kind: 'local', id: 'here', dockerSocket: '/nowhere' })
  const onOver = vi.fn<() => void>()
  const options = { onOver, lossOf: async () => ({ why: '', lost: true }), keepMilliseconds: 1_000 }
  const terminal = new Terminal(await host.shell({ cols: 80, rows: 24 }), options)
  const first = pretend()
  terminal.attach(first.socket)
  first.lose()
  expect(terminal.kept).toBe(true)
  const second = pretend()
  terminal.resume(second.socket, { cols: 80, rows: 24 })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect([terminal.kept, onOver.mock.calls.length]).toEqual([false, 0])
  second.lose()
  await expect.poll(() => onOver.mock.calls.length, { timeout: 10_000 }).toBe(1)
  expect([first.told, second.told]).toMatchObject([[{ resumed: false }], [{ resumed: true }]])
})

/** The near end of a socket that can be lost at will. */
function pretend() {
  const told: unknown[] = []
  let lost: (left: boolean) => void = () => {}
  const socket: TerminalSocket = {
    tell: (message) => void told.push(message),
    send: () => {},
    buffered: () => 0,
    onDrain: () => {},
    onText: () => {},
    onDismiss: () => {},
    onClose: (handler) => (lost = handler),
    close: () => {},
    refuse: () => {},
  }
  return { socket, told, lose: () => lost(false) }
}
