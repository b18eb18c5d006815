import { join } from 'node:path'
import { userInfo } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/programs/programs.ts'
import { failureOf, localHost, openHosts } from '../../test/support/stages/reach.ts'
import { command } from './command.ts'
import { DockerUnavailable, FileMissing, ConnectionLost, RemoteTimeout } from './errors.ts'

const hosts = openHosts()
const host = localHost(hosts)

/** A duration that no other process of this machine sleeps for. */
const rare = (which: number) => String(process.pid * 10 + which)
const sleeping = async (seconds: string) =>
  (await host.run(command('pgrep', '-fc', `^sleep ${seconds}$`))).stdout

test('runs a command like SSH does', async () => {
  const said = await host.run(command('sh', '-c', 'cat; echo "$1" >&2; exit 3', 'sh', "it's $HOME"), {
    input: 'in',
  })
  expect(said).toEqual({ code: 3, signal: null, stdout: 'in', stderr: "it's $HOME\n" })
  expect(await host.run(command('no-such-program'))).toMatchObject({ code: 127 })
  expect(await host.run(command('sh', '-c', 'kill -9 $$'))).toMatchObject({ code: null, signal: 'SIGKILL' })
})

test('hides Slipway’s own variables from commands', async () => {
  vi.stubEnv('SECRET_KEY', 'hush')
  const { stdout } = await host.run({ ...command('env'), env: { GIVEN: 'a\nb' } })
  expect(stdout).not.toContain('hush')
  expect(stdout).toContain('GIVEN=a\nb\n')
  expect(stdout).toContain(`HOME=${userInfo().homedir}\n`)
})

test('stops a command with its children on timeout', async () => {
  const both = 'sleep "$1" & sleep "$1"'
  const error = await failureOf(host.run(command('sh', '-c', both, 'sh', rare(1)), { timeout: 300 }))
  expect(error).toBeInstanceOf(RemoteTimeout)
  await vi.waitFor(async () => expect(await sleeping(rare(1))).toBe('0\n'))
})

test('stops an aborted command', async () => {
  const leaving = new AbortController()
  const running = host.run(command('sleep', rare(2)), { signal: leaving.signal })
  leaving.abort(new Error('enough'))
  expect((await failureOf(running)).message).toBe('enough')
  await vi.waitFor(async () => expect(await sleeping(rare(2))).toBe('0\n'))
})

test('writes and reads files unchanged', async () => {
  const path = join(await temporaryFolder(), 'a b/c')
  await host.files.write(path, Buffer.from([0, 255]), { mode: 0o600 })
  expect(await host.files.read(path)).toEqual(Buffer.from([0, 255]))
  expect((await host.run(command('stat', '-c', '%a', path))).stdout).toBe('600\n')
  await host.files.remove(path)
  expect(await failureOf(host.files.read(path))).toBeInstanceOf(FileMissing)
  expect((await failureOf(host.files.read('a'))).message).toBe('“a” is not an absolute path.')
})

test('refuses to read a file beyond the limit', async () => {
  const path = join(await temporaryFolder(), 'large')
  await host.files.write(path, 'x'.repeat(1_000))
  expect(await host.files.read(path, 1_000)).toHaveLength(1_000)
  expect((await failureOf(host.files.read(path, 999))).message).toBe(
    `${path} on the server is larger than 999 bytes.`,
  )
})

test('ends running commands and refuses new ones after a disconnect', async () => {
  const size = { cols: 80, rows: 24 }
  const gone = hosts.get({ kind: 'local', id: 'gone', dockerSocket: '/nowhere/docker.sock' })
  const lost = new Promise<Error>((resolve) => gone.onLost(resolve))
  const shell = await gone.shell(size)
  const started = await gone.start(command('sh', '-c', 'sleep 600 & echo $!; wait'))
  const pid = await new Promise<Buffer>((resolve) => started.stdout.once('data', resolve))
  onTestFinished(() => void process.kill(Number(pid)))
  const run = gone.run(command('sleep', rare(3)))
  const begun = [shell.ended, started.ended, run, gone.shell(size)].map(failureOf)
  hosts.disconnect('gone')
  const late = [
    gone.run(command('true')),
    gone.connect(),
    gone.shell(size),
    gone.docker.json({ path: '/_ping' }),
  ].map(failureOf)
  for (const work of [lost, ...begun, ...late]) expect(await work).toBeInstanceOf(ConnectionLost)
  await vi.waitFor(async () => expect(await sleeping(rare(3))).toBe('0\n'))
  // Detached processes continue, as over SSH.
  expect((await host.run(command('kill', '-0', String(pid).trim()))).code).toBe(0)
})

test('opens a resizable shell', async () => {
  const shell = await host.shell({ cols: 91, rows: 31 })
  let seen = ''
  shell.output.on('data', (data: Buffer) => (seen += data.toString()))
  shell.write('stty size; echo $TERM\n')
  await vi.waitFor(() => expect(seen).toContain('31 91\r\nxterm-256color'))
  shell.resize({ cols: 120, rows: 40 })
  shell.write(Buffer.from('stty size\n'))
  await vi.waitFor(() => expect(seen).toContain('40 120'))
  shell.write('exit 5\n')
  expect(await shell.ended).toEqual({ code: 5, signal: null })
  shell.write('nobody reads this')
  shell.close()
})

test('ends a closed shell', async () => {
  const shell = await host.shell({ cols: 80, rows: 24 })
  shell.output.resume()
  shell.close()
  expect(await shell.ended).toMatchObject({ code: null })
})

test('reports that Docker is missing', async () => {
  const { docker } = hosts.get({ kind: 'local', id: 'none', dockerSocket: '/nowhere/docker.sock' })
  const error = await failureOf(docker.json({ path: '/version' }))
  expect(error).toBeInstanceOf(DockerUnavailable)
  expect(error.message).toBe('This machine has no Docker socket. Install or start Docker.')
})
