import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { holdOn } from '../../test/support/stages/commands.ts'
import { Reader } from '../../test/support/stages/detached.ts'
import { failureOf, localHost, openHosts, targetOf } from '../../test/support/stages/reach.ts'
import { takeHost } from '../../test/support/stages/take-host.ts'
import { type Command, command } from './command.ts'
import { cancelDetached, removeDetached } from './detached.ts'
import { RemoteError } from './errors.ts'
import { longTest, someOf } from '../../test/support/run/campaign.ts'

const server = await takeHost()
const hosts = openHosts()
const ssh = hosts.get(targetOf(server))
const here = localHost(hosts)

let works = 0
const workOf = (given: Command | string, more: { limitSeconds?: number; maxBytes?: number } = {}) => ({
  id: `test-${process.pid}-${works++}`,
  command: typeof given === 'string' ? command('sh', '-c', given) : given,
  limitSeconds: 60,
  maxBytes: 1_000_000,
  ...more,
})
const ended = { code: 0, reason: 'ended', truncated: false }

test('lets the user cancel a process that runs as root', async () => {
  await server.addUser('mary', { sudo: 'nopasswd' })
  await server.authorize(server.keys.publicKey, 'mary')
  const mary = hosts.get(targetOf(server, { id: 'mary', user: 'mary' }))
  const work = workOf({ ...command('sh', '-c', 'id -un; sleep 2468'), asRoot: true })
  const reader = new Reader()
  const done = reader.follow(mary, work)
  await vi.waitFor(() => expect(reader.text).toBe('root\n'))
  await cancelDetached(mary, work.id)
  expect(await done).toMatchObject({ reason: 'cancelled' })
  expect(await server.exec('pgrep', '-fc', '^sleep 2468').catch(() => '0\n')).toBe('0\n')
})

longTest('runs fifty long processes on a server with ten sessions', async () => {
  const all = Array.from({ length: 50 }, () => workOf('date +%s; sleep 10; date +%s'))
  const read = await Promise.all(all.map((work) => new Reader().follow(ssh, work)))
  for (const one of read) expect(one).toMatchObject(ended)
  const times = read.map(({ stdout }) => stdout.toString().trim().split('\n').map(Number))
  const lastStart = Math.max(...times.map(([from = 0]) => from))
  const firstEnd = Math.min(...times.map(([, to = 0]) => to))
  expect(lastStart).toBeLessThan(firstEnd)
})

test('releases a follower immediately, while the process continues', async () => {
  const { wait, release } = holdOn(server)
  const work = workOf(`echo first; ${wait}; echo last`)
  const leaving = new AbortController()
  const reader = new Reader()
  const left = reader.follow(ssh, work, leaving.signal)
  await vi.waitFor(() => expect(reader.text).toBe('first\n'))
  leaving.abort(new Error('enough'))
  expect((await failureOf(left)).message).toBe('enough')
  await release()
  expect(await reader.follow(ssh, work)).toMatchObject({ ...ended, stdout: Buffer.from('first\nlast\n') })
})

test('reports a full disk and leaves nothing', async () => {
  const work = workOf('echo hello')
  await server.fillDisk()
  const error = await failureOf(new Reader().follow(ssh, work))
  await server.freeDisk()
  expect(error).toBeInstanceOf(RemoteError)
  expect(error.message).toMatch(/the disk of the server is full/)
  expect(await server.exec('find', '/root')).not.toContain(work.id)
})

test.each([{}, { env: { HELLO: 'hello' } }])('does not start before its precondition: %j', async (more) => {
  const work = workOf({ ...command('sh', '-c', 'touch "/root/$0"; echo begun'), ...more })
  const named = { ...work, command: { ...work.command, args: [...work.command.args, work.id] } }
  const failed = Promise.reject(new Error('not written down'))
  failed.catch(() => {})
  expect((await failureOf(new Reader().follow(ssh, { ...named, startAfter: failed }))).message).toBe(
    'not written down',
  )
  let letGo = () => {}
  const after = new Promise<void>((resolve) => (letGo = resolve))
  const read = new Reader().follow(ssh, { ...named, startAfter: after })
  await sleep(1_000)
  expect(await server.exec('find', '/root')).not.toContain(work.id)
  letGo()
  expect(await read).toMatchObject({ ...ended, stdout: Buffer.from('begun\n') })
})

test('refuses unsafe IDs', async () => {
  expect((await failureOf(removeDetached(ssh, '../x'))).message).toContain('is not a valid ID of a command')
  expect((await failureOf(new Reader().follow(ssh, { ...workOf('true'), id: '*' }))).message).toContain(
    'is not a valid ID of a command',
  )
})

/** The shells of Debian, Fedora and Alpine (busybox). */
const kinds = [
  { kind: 'with dash', prepare: () => server.exec('ln', '-sfn', 'dash', '/bin/sh') },
  { kind: 'with bash', prepare: () => server.exec('ln', '-sfn', 'bash', '/bin/sh') },
  {
    kind: 'with busybox',
    prepare: async () => {
      await server.exec('mkdir', '-p', '/opt/busybox')
      await server.exec('busybox', '--install', '-s', '/opt/busybox')
      await server.exec('ln', '-sfn', '/usr/bin/busybox', '/bin/sh')
      await server.sshConfig('SetEnv PATH=/opt/busybox:/usr/bin:/bin')
    },
  },
]

describe.each([...someOf(kinds, 1, 2), { kind: 'on this machine', prepare: async () => '' }])(
  'a process $kind',
  ({ kind, prepare }) => {
    // The slower shells get a smaller amount.
    const amount = kind === 'with dash' ? 1_000_000_000 : 30_000_000
    const host = kind === 'on this machine' ? here : ssh

    beforeAll(async () => void (await prepare()))

    test.concurrent('delivers every byte once, with stderr and exit code', async () => {
      const script =
        'head -c 300000 /dev/urandom | tee /tmp/slipway-bytes; printf "\\0\\377wrong" >&2; exit 7'
      const work = workOf(script)
      const read = await new Reader().follow(host, work)
      expect(read).toMatchObject({ code: 7, reason: 'ended', truncated: false })
      expect(read.stdout.length).toBe(300_000)
      const { stdout } = await host.run(command('sha256sum', '/tmp/slipway-bytes'))
      expect(stdout.slice(0, 64)).toBe(createHash('sha256').update(read.stdout).digest('hex'))
      expect(read.stderr).toEqual(Buffer.from('\0\xffwrong', 'latin1'))
      // A repeated call does not run it again; reading from an offset returns the rest.
      const again = new Reader()
      Object.assign(again.at, { stdout: 299_990, stderr: 2 })
      expect(await again.follow(host, work)).toMatchObject({ code: 7, stdout: read.stdout.subarray(299_990) })
      await removeDetached(host, work.id)
      expect((await host.run(command('sh', '-c', `ls ~/.slipway/work | grep ${work.id}`))).stdout).toBe('')
    })

    test.concurrent('delivers output while it runs', async () => {
      const reader = new Reader()
      const { wait, release } = holdOn({
        exec: async (...given) => (await host.run(command(...given))).stdout,
      })
      const work = workOf(`echo 1; ${wait}; echo 2`)
      const done = reader.follow(host, work)
      await vi.waitFor(() => expect(reader.text).toBe('1\n'))
      await release()
      expect(await done).toMatchObject({ ...ended, stdout: Buffer.from('1\n2\n') })
      await removeDetached(host, work.id)
    })

    test.concurrent('is truncated at the limit while the program continues', async () => {
      const work = workOf(`head -c ${amount} /dev/zero; echo "all said" >&2`, { maxBytes: 100_000 })
      const { stdout, stderr, ...finish } = await new Reader().follow(host, work)
      expect(finish).toEqual({ ...ended, truncated: true })
      expect([stdout.length, stderr.toString()]).toEqual([100_000, 'all said\n'])
      const { stdout: sizes } = await host.run(command('sh', '-c', `wc -c <~/.slipway/work/${work.id}.out`))
      expect(Number(sizes)).toBeLessThan(110_000)
      await removeDetached(host, work.id)
    })

    test.concurrent('is canceled with all its children', async () => {
      const stubborn = `sh -c 'trap "" TERM; echo child; while :; do sleep 1; done' stubborn-child`
      const work = workOf(`${stubborn} & echo main; sleep 3210; echo never`)
      const reader = new Reader()
      const done = reader.follow(host, work)
      await vi.waitFor(() => expect(reader.text).toMatch(/main\n.*child|child\n.*main/s))
      await cancelDetached(host, work.id)
      expect(await done).toMatchObject({ code: 143, reason: 'cancelled' })
      expect(reader.text).not.toContain('never')
      const left = await host.run(
        command('sh', '-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n"'),
      )
      expect(left.stdout).not.toMatch(/^stubborn-child$|^3210$/m)
      await removeDetached(host, work.id)
    })

    test.concurrent('ends at its time limit', async () => {
      const work = workOf('echo begun; sleep 4321', { limitSeconds: 3 })
      const { reason, stdout } = await new Reader().follow(host, work)
      expect([reason, stdout.toString()]).toEqual(['timed_out', 'begun\n'])
      await removeDetached(host, work.id)
    })

    test.concurrent('does not wait for background processes', async () => {
      const work = workOf('sleep 30 & echo here')
      expect(await new Reader().follow(host, work)).toMatchObject({ ...ended, stdout: Buffer.from('here\n') })
      await removeDetached(host, work.id)
    })

    test.concurrent('receives variables that are not in the process list', async () => {
      const look = 'printf %s "$A"; cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n" >&2'
      const work = workOf({ program: 'sh', args: ['-c', look], env: { A: 'hush\n-hush' } })
      const { stdout, stderr } = await new Reader().follow(host, work)
      expect(stdout.toString()).toBe('hush\n-hush')
      expect(stderr.toString()).not.toContain('-hush')
      await removeDetached(host, work.id)
    })
  },
)
