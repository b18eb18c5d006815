import { describe, expect, test, vi } from 'vitest'
import { failureOf, openHosts, targetOf } from '../../../test/support/stages/reach.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { command } from '../command.ts'
import { FileMissing, RemoteError, RemoteTimeout } from '../errors.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const server = await takeHost()
const hosts = openHosts()
const host = hosts.get(targetOf(server))
const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))

describe('a command', () => {
  test('returns its output, stderr and exit code', async () => {
    const said = await host.run(command('sh', '-c', 'echo out; echo wrong >&2; exit 3'))
    expect(said).toEqual({ code: 3, signal: null, stdout: 'out\n', stderr: 'wrong\n' })
  })

  test('receives its arguments unchanged', async () => {
    const odd = ['', ' ', "'", '"', '\\', '$HOME', '`id`', '$(id)', ';id', '\n', '*', '-n', 'é🚢', '!!', '~']
    const { stdout } = await host.run(command('printf', '%s\\n--\\n', ...odd))
    expect(stdout).toBe(odd.map((word) => `${word}\n--\n`).join(''))
  })

  test('reads its input to the end', async () => {
    const input = Buffer.concat(Array.from({ length: 8_192 }, () => bytes))
    expect((await host.run(command('wc', '-c'), { input })).stdout.trim()).toBe(String(input.length))
  })

  test('returns its exit code after closing its outputs', async () => {
    const { code } = await host.run(command('sh', '-c', 'exec >&- 2>&-; sleep 0.3; exit 4'))
    expect(code).toBe(4)
  })

  test('reports the signal that ended it', async () => {
    expect(await host.run(command('sh', '-c', 'kill -9 $$'))).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  test('exits with 127 when missing', async () => {
    expect(await host.run(command('no-such-program'))).toMatchObject({ code: 127 })
  })

  test('times out', async () => {
    const error = await failureOf(host.run(command('sleep', '20'), { timeout: 200 }))
    expect(error).toBeInstanceOf(RemoteTimeout)
    expect(error.message).toBe('The command took longer than 0.2 seconds.')
  })

  test('is truncated without blocking', async () => {
    const { stdout, code } = await host.run(command('head', '-c', '50000000', '/dev/zero'), {
      maxBytes: 1_000,
    })
    expect([stdout.length, code]).toEqual([1_000, 0])
  })

  test('receives variables that are not in the process list', async () => {
    const look =
      'echo "$SECRET"; for file in /proc/[0-9]*/cmdline; do tr "\\0" " " <"$file"; done 2>/dev/null'
    const { stdout } = await host.run({ program: 'sh', args: ['-c', look], env: { SECRET: 'hush\nhush' } })
    expect(stdout.startsWith('hush\nhush\n')).toBe(true)
    expect(stdout.slice(10)).not.toContain('hush')
  })

  test('succeeds as one of fifty concurrent ones', async () => {
    const all = Array.from({ length: 50 }, (_, index) =>
      host.run(command('sh', '-c', 'sleep 0.1; echo "$0"', String(index))),
    )
    expect((await Promise.all(all)).map(({ stdout }) => stdout)).toEqual(all.map((_, index) => `${index}\n`))
  })

  longTest('waits while released sessions are still closing', async () => {
    const left = await Promise.all(Array.from({ length: 8 }, () => host.start(command('sleep', '8'))))
    for (const process of left) process.release()
    const { stdout } = await host.run(command('echo', 'here'))
    expect(stdout).toBe('here\n')
  })
})

describe('another user', () => {
  test('becomes root with sudo and keeps its variables', async () => {
    await server.addUser('mary', { sudo: 'nopasswd' })
    await server.authorize(server.keys.publicKey, 'mary')
    const mary = hosts.get(targetOf(server, { id: 'mary', user: 'mary' }))
    const who = { program: 'sh', args: ['-c', 'id -un; echo "$A"'], env: { A: 'given' } }
    expect((await mary.run(who)).stdout).toBe('mary\ngiven\n')
    expect((await mary.run({ ...who, asRoot: true })).stdout).toBe('root\ngiven\n')
    await mary.files.write('/etc/slipway-test', 'root’s', { asRoot: true, mode: 0o600 })
    expect(await server.exec('stat', '-c', '%U %a', '/etc/slipway-test')).toBe('root 600\n')
  })

  test('is refused without sudo', async () => {
    await server.addUser('bob', { sudo: 'none' })
    await server.authorize(server.keys.publicKey, 'bob')
    const bob = hosts.get(targetOf(server, { id: 'bob', user: 'bob' }))
    const { code, stderr } = await bob.run({ ...command('id'), asRoot: true })
    expect([code, stderr]).toEqual([1, 'sudo: a password is required\n'])
  })
})

describe('files', () => {
  test('are written with content and mode', async () => {
    const path = `/srv/a b/it's $HOME\n;`
    await host.files.write(path, bytes, { mode: 0o640 })
    expect(await host.files.read(path)).toEqual(bytes)
    expect(await server.exec('stat', '-c', '%a', path)).toBe('640\n')
    await host.files.write(path, 'again')
    expect((await host.files.read(path)).toString()).toBe('again')
    await host.files.remove(path)
    expect(await failureOf(host.files.read(path))).toBeInstanceOf(FileMissing)
  })

  test('are unchanged when the disk is full', async () => {
    await host.files.write('/srv/kept', 'old')
    await server.fillDisk()
    const error = await failureOf(host.files.write('/srv/kept', Buffer.alloc(1_000_000, 1)))
    await server.freeDisk()
    expect(error).toBeInstanceOf(RemoteError)
    expect(error.message).toMatch(
      /^\/srv\/kept could not be written on the server: .*No space left on device\.$/,
    )
    expect((await host.files.read('/srv/kept')).toString()).toBe('old')
    expect(await server.exec('ls', '-A', '/srv')).not.toContain('.slipway')
  })
})

describe('a shell', () => {
  test('has a resizable terminal and ends', async () => {
    const shell = await host.shell({ cols: 91, rows: 31 })
    let seen = ''
    shell.output.on('data', (data: Buffer) => (seen += data.toString()))
    shell.write('stty size; echo $TERM\n')
    await vi.waitFor(() => expect(seen).toContain('31 91\r\nxterm-256color'))
    shell.resize({ cols: 120, rows: 40 })
    shell.write('stty size\n')
    await vi.waitFor(() => expect(seen).toContain('40 120'))
    shell.write('exit 5\n')
    expect(await shell.ended).toEqual({ code: 5, signal: null })
  })

  test('ends its programs when closed', async () => {
    const shell = await host.shell({ cols: 80, rows: 24 })
    shell.output.resume()
    shell.write('sleep 7654\n')
    const sleeping = () => server.exec('pgrep', '-fc', '^sleep 7654').catch(() => '0\n')
    await vi.waitFor(async () => expect(await sleeping()).toBe('1\n'))
    shell.close()
    await vi.waitFor(async () => expect(await sleeping()).toBe('0\n'))
  })
})
