import { onTestFinished, expect, test, vi } from 'vitest'
import { Reader } from '../../test/support/stages/detached.ts'
import { failureOf, openHosts, targetOf } from '../../test/support/stages/reach.ts'
import { takeHost } from '../../test/support/stages/take-host.ts'
import { command } from './command.ts'
import { ConnectionLost, RemoteError } from './errors.ts'
import { longTest } from '../../test/support/run/campaign.ts'

const server = await takeHost()
const hosts = openHosts()
const host = hosts.get(targetOf(server))
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
const counting = (count: number) =>
  command(
    'sh',
    '-c',
    'n=0; while [ $n -lt "$1" ]; do n=$((n + 1)); echo "line $n"; sleep 0.05; done',
    'sh',
    String(count),
  )

/** Follows the process across reconnects. */
async function seeThrough(reader: Reader, work: Parameters<Reader['follow']>[1]) {
  for (let losses = 0; ; losses++) {
    try {
      return { ...(await reader.follow(host, work)), losses }
    } catch (error) {
      if (!(error instanceof RemoteError) || losses > 20) throw error
    }
  }
}

test('loses and repeats no line when the network fails', async () => {
  const work = { id: 'cut', command: counting(300), limitSeconds: 120, maxBytes: 1_000_000 }
  const reader = new Reader()
  const done = seeThrough(reader, work)
  await vi.waitFor(() => expect(reader.text).toContain('line 20\n'))
  await server.cut()
  onTestFinished(() => server.plug())
  await new Promise<Error>((resolve) => host.onLost(resolve))
  await server.plug()
  const { losses, ...finish } = await done
  expect(finish).toMatchObject({ code: 0, reason: 'ended', truncated: false })
  expect(losses).toBeGreaterThan(0)
  expect(reader.text).toBe(lines(300))
})

longTest('loses no line with constant reconnects', async () => {
  const work = { id: 'shaken', command: counting(120), limitSeconds: 120, maxBytes: 1_000_000 }
  const reader = new Reader()
  const done = seeThrough(reader, work)
  // Nothing awaits this promise when a line is missing.
  done.catch(() => {})
  for (const line of [15, 40, 60, 90]) {
    await vi.waitFor(() => expect(reader.text).toContain(`line ${line}\n`))
    await server.exec('pkill', '-f', '^sshd: root')
  }
  expect(await done).toMatchObject({ code: 0, reason: 'ended' })
  expect(reader.text).toBe(lines(120))
})

longTest('reports a process as vanished after a power failure, with its output', async () => {
  const work = { id: 'power', command: counting(1_000), limitSeconds: 600, maxBytes: 1_000_000 }
  const reader = new Reader()
  const following = reader.follow(host, work)
  await vi.waitFor(() => expect(reader.text).toContain('line 10\n'))
  await server.powerOff()
  expect(await failureOf(following)).toBeInstanceOf(ConnectionLost)
  await server.powerOn()
  const read = await vi.waitFor(() => reader.follow(host, work), { interval: 200 })
  expect(read).toMatchObject({ code: null, reason: 'vanished' })
  expect(lines(1_000).startsWith(reader.text.replace(/[^\n]*$/, ''))).toBe(true)
})

test('never starts a process that was started before', async () => {
  const reader = new Reader()
  Object.assign(reader.at, { isStarted: true })
  const work = { id: 'known', command: command('touch', '/root/known'), limitSeconds: 60, maxBytes: 1_000 }
  expect(await reader.follow(host, work)).toMatchObject({ code: null, reason: 'vanished' })
  expect(await server.exec('ls', '/root')).not.toContain('known')
})

test('reports a process as vanished when its supervisor was killed', async () => {
  const work = {
    id: 'orphan',
    command: command('sh', '-c', 'echo begun; sleep 300'),
    limitSeconds: 600,
    maxBytes: 1_000,
  }
  const reader = new Reader()
  const following = reader.follow(host, work)
  await vi.waitFor(() => expect(reader.text).toBe('begun\n'))
  const state = await server.exec('cat', '/root/.slipway/work/orphan.state')
  await server.exec('kill', '-9', state.split(' ')[2] ?? '')
  expect(await following).toMatchObject({ code: null, reason: 'vanished' })
})
