import { readScript } from '../../platform/read-script.ts'
import { command } from '../command.ts'
import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyFolder, proxyPath, serverName } from './config.ts'
import {
  type Backend,
  type BackendServer,
  certificateName,
  configName,
  type MapName,
  type ProxyFile,
  type ProxyPlan,
  sha256,
} from './plan.ts'
import {
  parseProxyState,
  type ProxyState,
  sendToWorker,
  type ServerState,
  stateCommands,
} from './runtime-api.ts'

export class ProxyRejected extends RemoteError {
  get host(): string | undefined {
    const [, host] = new RegExp(`${proxyFolder}/(\\S+)\\.pem`).exec(this.message) ?? []
    return host
  }
}

/**
 * Changes the running proxy, whose structure is already that of the plan. The files are always written, so that a
 * restart yields the same state.
 */
export async function applyPlan(
  host: Host,
  plan: ProxyPlan,
  running: ProxyState,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted()
  await swapCertificates(host, plan, running)
  signal?.throwIfAborted()
  await Promise.all([runCommands(host, plan, running, signal), uploadFiles(host, plan.files, signal)])
}

export const readProxyState = async (host: Host): Promise<ProxyState> =>
  parseProxyState(await sendToWorker(host, stateCommands))

async function runCommands(
  host: Host,
  plan: ProxyPlan,
  running: ProxyState,
  signal?: AbortSignal,
): Promise<void> {
  for (const commands of runtimeCommands(plan, running)) {
    signal?.throwIfAborted()
    assertDone(commands, await sendToWorker(host, commands))
  }
}

export function assertDone(commands: readonly string[], answers: readonly string[]): void {
  for (const [at, answer] of answers.entries()) {
    if (isDone(answer)) continue
    // The value of a map entry may be secret, so it is removed from the message.
    const command = commands[at]?.replace(/^(\w+ map \S+) .*/, '$1') ?? ''
    throw new ProxyRejected(`The proxy rejected “${command}”: ${answer.split('\n')[0] ?? ''}`)
  }
}

const isDone = (answer: string) =>
  answer === '' || /^(IP changed|port changed|no need to change)/i.test(answer)

/** Replaces certificates at run time. The commit rejects an invalid certificate, and the old one stays. */
async function swapCertificates(
  host: Host,
  plan: ProxyPlan,
  { pid, shape, secrets }: ProxyState,
): Promise<void> {
  const worker = `${pid} ${shape} ${secrets}`
  const before = host.cache.swappedCertificates
  if ((before?.worker === worker ? before.secrets : secrets) === plan.secrets) return
  for (const { host: name, pem } of plan.certificates) {
    const file = proxyPath(certificateName(name))
    // An empty line would end the payload, so blank lines are removed.
    const text = pem.replaceAll(/\n\s*\n/g, '\n').trim()
    const [taken = '', used = ''] = await sendToWorker(host, [
      `set ssl cert ${file} <<\n${text}\n`,
      `commit ssl cert ${file}`,
    ])
    if (!/Success|Transaction (created|updated)/.test(taken) || !/Success/.test(used)) {
      await sendToWorker(host, [`abort ssl cert ${file}`])
      throw new ProxyRejected(`The proxy rejected the certificate ${file}: ${used || taken}`)
    }
  }
  host.cache.swappedCertificates = { worker, secrets: plan.secrets }
}

/**
 * Returns the commands that enable new servers, update maps, then disable old servers, so that a server is always
 * available.
 */
export function runtimeCommands(plan: Pick<ProxyPlan, 'backends' | 'maps'>, running: ProxyState): string[][] {
  const backends = new Map(plan.backends.map((backend) => [backend.name, backend]))
  const begun: string[] = []
  const ended: string[] = []
  for (const now of running.places) {
    const wanted = wantedServer(backends.get(now.backend), now)
    if (wanted?.serving) begun.push(...enableCommands(now, wanted))
    else ended.push(...disableCommands(now, wanted))
  }
  return [begun, mapChanges(plan.maps, running.maps), ended].filter((commands) => commands.length > 0)
}

/** The backend is undefined if its application was deleted. */
const wantedServer = (backend: Backend | undefined, { name }: ServerState): BackendServer | undefined =>
  backend && [...backend.places].find(([slot]) => serverName(slot) === name)?.[1]

const isAt = (now: ServerState, { address, port }: BackendServer) =>
  now.address === address && now.port === port

function enableCommands(now: ServerState, wanted: BackendServer): string[] {
  const where = `${now.backend}/${now.name}`
  if (isAt(now, wanted)) return now.state === 'ready' ? [] : [`set server ${where} state ready`]
  return [
    // The server is in maintenance while its address changes, so that no request reaches the new address too early.
    ...(now.state === 'maint' ? [] : [`set server ${where} state maint`]),
    `set server ${where} addr ${wanted.address} port ${wanted.port}`,
    `set server ${where} state ready`,
  ]
}

/** A free slot keeps no address, because another container may get the same one. */
function disableCommands(now: ServerState, wanted: BackendServer | undefined): string[] {
  const where = `${now.backend}/${now.name}`
  if (wanted && isAt(now, wanted)) return now.state === 'ready' ? [`set server ${where} state drain`] : []
  return [
    ...(now.state === 'maint' ? [] : [`set server ${where} state maint`]),
    ...(now.address === '0.0.0.0' ? [] : [`set server ${where} addr 0.0.0.0 port 0`]),
  ]
}

function mapChanges(wanted: ProxyPlan['maps'], now: ProxyState['maps']): string[] {
  return [...wanted].flatMap(([name, entries]) => changesInMap(name, entries, now.get(name) ?? new Map()))
}

function changesInMap(name: MapName, wanted: Map<string, string>, now: Map<string, string>): string[] {
  const file = proxyPath(name)
  return [
    ...[...wanted].flatMap(([key, value]) => {
      const known = now.get(key)
      if (known === value) return []
      return [`${known === undefined ? 'add' : 'set'} map ${file} ${key} ${value}`]
    }),
    ...[...now.keys()].filter((key) => !wanted.has(key)).map((key) => `del map ${file} ${key}`),
  ]
}

export class ProxyNotInstalled extends RemoteError {
  constructor() {
    super('The proxy is not installed on this server. Run setup again.')
  }
}

export interface FolderState {
  ipv6: boolean
  hashes: Map<string, string>
}

const readFolderScript = readScript('read-proxy-folder.sh')

export async function readFolder(host: Host, signal?: AbortSignal): Promise<FolderState> {
  const { code, stdout } = await host.run(command('sh', '-c', readFolderScript, 'sh', proxyFolder), {
    signal,
  })
  if (code !== 0) throw new ProxyNotInstalled()
  return {
    ipv6: /^ipv6$/m.test(stdout),
    hashes: new Map(
      [...stdout.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(([, hash = '', name = '']) => [name, hash]),
    ),
  }
}

/**
 * Reads the state of the folder once: IPv6 support does not change at run time, and the hashes of the files are updated
 * after each write.
 */
export const readFolderCached = async (host: Host, signal?: AbortSignal): Promise<FolderState> =>
  (host.cache.proxyFolder ??= await readFolder(host, signal))

/** Writes changed files and verifies the others at the same time, which usually takes one round trip. */
export async function uploadFiles(
  host: Host,
  files: readonly ProxyFile[],
  signal?: AbortSignal,
): Promise<void> {
  const before = await readFolderCached(host, signal)
  const first = changedFiles(files, before)
  host.cache.proxyFolder = undefined
  const [now] = await Promise.all([readFolder(host, signal), writeFiles(host, first)])
  signal?.throwIfAborted()
  await writeFiles(
    host,
    changedFiles(files, now).filter((file) => !first.includes(file)),
  )
  const names = new Set(files.map(({ name }) => name))
  const extra = [...now.hashes.keys()].filter((name) => !names.has(name))
  await Promise.all(extra.map((name) => host.files.remove(proxyPath(name))))
  host.cache.proxyFolder = {
    ...now,
    hashes: new Map(files.map(({ name, content }) => [name, sha256(content)])),
  }
}

export const changedFiles = (files: readonly ProxyFile[], { hashes }: FolderState) =>
  files.filter(({ name, content }) => hashes.get(name) !== sha256(content))

/** Writes the configuration last, because it references the other files. */
export async function writeFiles(host: Host, files: readonly ProxyFile[]): Promise<void> {
  const put = ({ name, content, mode }: ProxyFile) => host.files.write(proxyPath(name), content, { mode })
  await Promise.all(files.filter(({ name }) => name !== configName).map(put))
  for (const file of files) if (file.name === configName) await put(file)
}
