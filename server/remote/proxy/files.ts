import { command } from '../command.ts'
import { readScript } from '../../platform/read-script.ts'
import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyPath, proxyFolder } from './config.ts'
import { configName, sha256, type ProxyFile } from './plan.ts'

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

/** IPv6 support does not change at run time. */
export const readFolderCached = async (host: Host, signal?: AbortSignal): Promise<FolderState> =>
  (host.cache.proxyFolder ??= await readFolder(host, signal))

/** Writes changed files while verifying the others, which usually takes one round trip. */
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

/** Writes the configuration last, because it references the others. */
export async function writeFiles(host: Host, files: readonly ProxyFile[]): Promise<void> {
  const put = ({ name, content, mode }: ProxyFile) => host.files.write(proxyPath(name), content, { mode })
  await Promise.all(files.filter(({ name }) => name !== configName).map(put))
  for (const file of files) if (file.name === configName) await put(file)
}
