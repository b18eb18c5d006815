import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import { loadBusybox } from '../stages/containers.ts'
import { temporaryFolder } from './programs.ts'
import type { RigServer } from '../rig/server.ts'
import { findable } from './stray.ts'

export interface Registry {
  /** For example `10.1.2.1:40123`. */
  address: string
  /** Storage folder, which another registry can share. */
  storage: string
}

/** Credentials of a private registry. */
export const registryLogIn = { username: 'ada', password: 'correct horse battery' }
const users = 'ada:$2y$05$j/w2VHVApftSN4GVtR.gIO/sW0.C6Yov0ckXtFxVUzrboqW8rHv9.\n'

interface RegistryOptions {
  asksForLogIn?: boolean
  /** Token server; see fakes/registry-tokens.ts. */
  tokens?: { realm: string; service: string; issuer: string; certificate: string }
  storage?: string
}

/** A registry that servers of the rig can reach, for the tests of a file. */
export async function startRegistry(
  { machine }: Pick<RigServer, 'machine'>,
  { asksForLogIn = false, tokens, storage }: RegistryOptions = {},
): Promise<Registry> {
  const folder = await temporaryFolder(afterAll)
  await writeFile(join(folder, 'users'), users)
  const htpasswd = { realm: 'test', path: join(folder, 'users') }
  const rootdirectory = storage ?? join(folder, 'storage')
  const rootcertbundle = join(folder, 'tokens.pem')
  if (tokens) await writeFile(rootcertbundle, tokens.certificate)
  const config = {
    version: '0.1',
    log: { level: 'info' },
    storage: { filesystem: { rootdirectory }, delete: { enabled: true } },
    http: { addr: `${machine}:0` },
    ...(asksForLogIn && { auth: { htpasswd } }),
    ...(tokens && { auth: { token: { ...tokens, rootcertbundle } } }),
  }
  // JSON is valid YAML.
  await writeFile(join(folder, 'config.yml'), JSON.stringify(config))
  const child = spawn('docker-registry', ['serve', join(folder, 'config.yml')], {
    cwd: folder,
    env: { ...process.env, ...findable() },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  afterAll(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const found = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (lines.length < 50) lines.push(line)
      const address = /listening on ([\d.]+:\d+)/.exec(line)?.[1]
      if (address) resolve(address)
    })
  })
  const ended = once(child, 'close').then(() => {
    throw new Error(`The registry ended:\n${lines.join('\n')}`)
  })
  ended.catch(() => {})
  return { address: await Promise.race([found, ended]), storage: rootdirectory }
}

/** Builds an image from busybox with one random layer per file. */
export async function makeImage(
  server: RigServer,
  name: string,
  files: Record<string, number>,
  from = 'rig/busybox',
): Promise<void> {
  await loadBusybox(server)
  const folder = (await server.exec('mktemp', '-d')).trim()
  const steps = Object.keys(files).map((file) => `COPY ${file} /${file}`)
  for (const [file, bytes] of Object.entries(files))
    await server.exec(
      'sh',
      '-c',
      'head -c "$1" /dev/urandom > "$2"',
      'sh',
      String(bytes),
      `${folder}/${file}`,
    )
  const dockerfile = [`FROM ${from}`, ...steps].join('\n')
  await server.exec('sh', '-c', 'printf %s "$1" > "$2"', 'sh', dockerfile, `${folder}/Dockerfile`)
  await server.exec('docker', 'build', '--quiet', '--tag', name, folder)
}

/** Publishes an image and removes it from the server. Returns its name. */
export async function publish(
  server: RigServer,
  { address }: Registry,
  name: string,
  files: Record<string, number>,
  from?: string,
): Promise<string> {
  const full = `${address}/${name}`
  await makeImage(server, full, files, from)
  await server.exec('docker', 'push', '--quiet', full)
  await server.exec('docker', 'image', 'rm', '--force', full)
  // The build cache holds the layers too.
  await server.exec('docker', 'builder', 'prune', '--all', '--force')
  return full
}

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json'
const listType = 'application/vnd.docker.distribution.manifest.list.v2+json'

interface Manifest {
  config: { digest: string; size: number }
}

/** Adds a variant of the image for another architecture. */
export async function publishFor({ address }: Registry, name: string, architecture: string): Promise<void> {
  const [path = '', tag = ''] = name.split(':')
  const at = (rest: string) => `http://${address}/v2/${path}/${rest}`
  const get = async (rest: string) => {
    const reply = await fetch(at(rest), { headers: { accept: manifestType } })
    return reply.text()
  }
  const put = async (url: string, type: string, body: string) => {
    const { status } = await fetch(url, { method: 'PUT', headers: { 'content-type': type }, body })
    if (status !== 201) throw new Error(`The registry answered ${status}.`)
  }
  const first = await get(`manifests/${tag}`)
  const manifest: Manifest = JSON.parse(first)
  const config: { architecture: string } = JSON.parse(await get(`blobs/${manifest.config.digest}`))
  const blob = JSON.stringify({ ...config, architecture })
  const upload = await fetch(at('blobs/uploads/'), { method: 'POST' })
  const where = new URL(upload.headers.get('location') ?? '', at(''))
  where.searchParams.set('digest', digestOf(blob))
  await put(where.href, 'application/octet-stream', blob)
  const second = JSON.stringify({
    ...manifest,
    config: { ...manifest.config, digest: digestOf(blob), size: blob.length },
  })
  await put(at(`manifests/${digestOf(second)}`), manifestType, second)
  const manifests = [
    { text: first, of: config.architecture },
    { text: second, of: architecture },
  ].map(({ text, of }) => ({
    mediaType: manifestType,
    size: text.length,
    digest: digestOf(text),
    platform: { os: 'linux', architecture: of },
  }))
  await put(
    at(`manifests/${tag}`),
    listType,
    JSON.stringify({ schemaVersion: 2, mediaType: listType, manifests }),
  )
}

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
