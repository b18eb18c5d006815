import { execFile } from 'node:child_process'
import { access, readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './support/programs/programs.ts'
import { busyboxImage, proxyImage } from './support/rig/images.ts'
import { onRig, startRig } from './support/rig/rig.ts'
import type { RigServer } from './support/rig/server.ts'
import { takeServer } from './support/rig/take.ts'

const run = promisify(execFile)

async function ssh(server: RigServer, key: string, command: string, user = 'root'): Promise<string> {
  const known = `${key}.known`
  const options = [
    '-o',
    'BatchMode=yes',
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    `UserKnownHostsFile=${known}`,
  ]
  const { stdout } = await run('ssh', [...options, '-i', key, `${user}@${server.address}`, command])
  return stdout.trim()
}

async function newKey(): Promise<{ file: string; publicKey: string }> {
  const file = join(await temporaryFolder(), 'key')
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  return { file, publicKey: await readFile(`${file}.pub`, 'utf8') }
}

/** Reads the SSH banner. */
function banner(server: RigServer, milliseconds: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: server.address, port: server.port })
    onTestFinished(() => void socket.destroy())
    setTimeout(() => resolve(socket.connecting ? 'no connection' : 'silence'), milliseconds)
    socket.once('data', (data) => resolve(data.toString()))
    socket.once('error', (error) => resolve(error.message))
  })
}

describe('a server of the rig', () => {
  let server: RigServer
  beforeAll(async () => {
    server = await takeServer()
  })

  test('accepts authorized keys, presents its host key, and is isolated', async () => {
    const key = await newKey()
    await expect(ssh(server, key.file, 'true')).rejects.toThrow(/Permission denied/)
    await server.authorize(key.publicKey)
    expect(await ssh(server, key.file, 'hostname')).toBe(
      await server.exec('hostname').then((it) => it.trim()),
    )
    expect(await readFile(`${key.file}.known`, 'utf8')).toContain(server.hostKey)
    expect(await ssh(server, key.file, 'ls -A /root')).toBe('.ssh')
    await expect(server.exec('ls', import.meta.dirname)).rejects.toThrow(/No such file/)
  })

  test('has users with and without sudo', async () => {
    const key = await newKey()
    await server.addUser('ada', { sudo: 'nopasswd' })
    await server.addUser('bob', { sudo: 'none' })
    for (const user of ['ada', 'bob']) await server.authorize(key.publicKey, user)
    expect(await ssh(server, key.file, 'sudo -n id -u', 'ada')).toBe('0')
    await expect(ssh(server, key.file, 'sudo -n id -u', 'bob')).rejects.toThrow(/password is required/)
    await server.sshConfig('AllowUsers root')
    await expect(ssh(server, key.file, 'true', 'ada')).rejects.toThrow(/Permission denied/)
  })

  test('runs containers from local images', async () => {
    for (const image of [await busyboxImage(), await proxyImage()]) await server.loadImage(image)
    const said = await server.exec('docker', 'run', '--rm', '--memory', '64m', 'rig/busybox', 'echo', 'hello')
    expect(said).toBe('hello\n')
    expect(await server.exec('docker', 'run', '--rm', 'rig/proxy', 'haproxy', '-v')).toMatch(/^HAProxy/)
  })

  test('has compose and buildx', async () => {
    const key = await newKey()
    await server.authorize(key.publicKey)
    expect(await ssh(server, key.file, 'docker compose version --short')).toMatch(/^2\.(2[6-9]|[3-9]\d)\./)
    expect(await ssh(server, key.file, 'docker buildx version')).toMatch(/ v?0\.1[3-9]/)
  })

  test('loses and restores its network', async () => {
    expect(await banner(server, 10_000)).toMatch(/^SSH-2.0/)
    await server.cut()
    expect(await banner(server, 300)).toBe('no connection')
    await server.plug()
    expect(await banner(server, 10_000)).toMatch(/^SSH-2.0/)
  })

  test('keeps disk and host key over a power failure', async () => {
    await server.exec('touch', '/root/kept')
    await server.powerOff()
    expect(await banner(server, 300)).toBe('no connection')
    await server.powerOn()
    expect(await server.exec('ls', '/root/kept')).toBe('/root/kept\n')
    expect(await server.exec('docker', 'images', '-q', 'rig/busybox')).not.toBe('')
    expect(await banner(server, 10_000)).toMatch(/^SSH-2.0/)
  })

  test('kills, restarts and stops Docker', async () => {
    await server.killDockerd()
    await server.untilDockerAnswers()
    await server.stopDockerd()
    await expect(server.exec('docker', 'ps')).rejects.toThrow(/Is the docker daemon running/)
    await server.startDockerd()
    await server.exec('docker', 'ps')
  })

  test('hangs sshd and changes its host key', async () => {
    await server.hangSshd()
    expect(await banner(server, 300)).toBe('silence')
    await server.restoreSshd()
    const key = await newKey()
    await server.authorize(key.publicKey)
    const hostKey = await server.newHostKey()
    expect(hostKey).not.toBe(server.hostKey)
    await ssh(server, key.file, 'true')
    expect(await readFile(`${key.file}.known`, 'utf8')).toContain(hostKey)
  })

  test('fills its disk', async () => {
    await server.fillDisk()
    for (const place of ['/root', '/tmp', '/var/lib', '/var/lib/docker'])
      await expect(server.exec('cp', '/bin/bash', `${place}/copy`)).rejects.toThrow(/No space left/)
    await server.freeDisk()
    await server.exec('cp', '/bin/bash', '/root/copy')
  })

  test('has no outside network and fails fast', async () => {
    await expect(server.exec('curl', '--silent', '--show-error', 'http://192.0.2.1')).rejects.toThrow(
      /Couldn't connect|Network is unreachable|No route to host/,
    )
  })
})

test('is fresh when taken', async () => {
  const releases: (() => Promise<void>)[] = []
  const first = await takeServer((release) => void releases.push(release))
  await first.exec('touch', '/root/left')
  await first.cut()
  for (const release of releases) await release()
  const second = await takeServer(onTestFinished)
  expect(second.hostKey).not.toBe(first.hostKey)
  expect(await second.exec('ls', '-A', '/root')).toBe('')
  expect(await banner(second, 10_000)).toMatch(/^SSH-2.0/)
})

test('is never shared by two files', async () => {
  const [one, other] = await Promise.all([takeServer(onTestFinished), takeServer(onTestFinished)])
  expect(one.address).not.toBe(other.address)
})

test('leaves nothing after a stop', async () => {
  const { rig, stop } = await startRig()
  await onRig(rig, 'create', '1', '/')
  await onRig(rig, 'outside', '1', 'yes')
  await onRig(rig, 'on', '1')
  const pid = (await readFile(join(rig.folder, '1', 'pid'), 'utf8')).trim()
  await access(`/proc/${pid}`)
  await stop()
  const { stdout: links } = await run('ip', ['link'])
  const { stdout: rules } = await run('iptables-save')
  const groups = await Promise.all(
    ['/sys/fs/cgroup', '/sys/fs/cgroup/pids'].map((at) => readdir(at).catch(() => [])),
  )
  const names = [links, rules, ...(await readdir('/run/netns')), ...groups.flat()].join('\n')
  expect(names).not.toContain(rig.prefix)
  await expect(access(rig.folder)).rejects.toThrow(/ENOENT/)
  await expect(access(`/proc/${pid}`)).rejects.toThrow(/ENOENT/)
})
