import { command } from '../command.ts'
import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { inFolder, proxyFolder } from './config.ts'
import { configName, hashOf, type ProxyFile } from './plan.ts'

/** The server was not set up, or what that left was removed. */
export class NoProxy extends RemoteError {
  constructor() {
    super('The proxy is not installed on this server. Run setup again.')
  }
}

/** What lies in the proxy's folder, and what of the machine decides how it is configured. */
export interface Look {
  ipv6: boolean
  /** What the machine is called. */
  machine: string | undefined
  hashes: Map<string, string>
}

const lookScript = `cd "$1" 2>/dev/null || exit 44
if [ -s /proc/net/if_inet6 ]; then echo ipv6; fi
if [ -s machine ]; then echo "machine $(cat machine)"; fi
sha256sum -- *.cfg *.map *.txt *.pem 2>/dev/null
exit 0`

/** As this process saw and left them last; another one may have changed them since. */
const known = new WeakMap<Host, Look>()

export async function look(host: Host, signal?: AbortSignal): Promise<Look> {
  const { code, stdout } = await host.run(command('sh', '-c', lookScript, 'sh', proxyFolder), { signal })
  if (code !== 0) throw new NoProxy()
  return {
    ipv6: /^ipv6$/m.test(stdout),
    machine: /^machine (\S+)$/m.exec(stdout)?.[1],
    hashes: new Map(
      [...stdout.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(([, hash = '', name = '']) => [name, hash]),
    ),
  }
}

/** Whether it speaks IPv6 does not change while it runs. */
export const lookOnce = async (host: Host, signal?: AbortSignal): Promise<Look> => {
  const seen = known.get(host) ?? (await look(host, signal))
  known.set(host, seen)
  return seen
}

/**
 * Has exactly these files there. What changed since we wrote them is written while a look tells whether the others are
 * as we left them, so that it costs one round trip where that is so.
 */
export async function putFiles(host: Host, files: readonly ProxyFile[], signal?: AbortSignal): Promise<void> {
  const before = await lookOnce(host, signal)
  const first = differing(files, before)
  known.delete(host)
  const [now] = await Promise.all([look(host, signal), write(host, first)])
  signal?.throwIfAborted()
  await write(
    host,
    differing(files, now).filter((file) => !first.includes(file)),
  )
  const names = new Set(files.map(({ name }) => name))
  const extra = [...now.hashes.keys()].filter((name) => !names.has(name))
  await Promise.all(extra.map((name) => host.files.remove(inFolder(name))))
  known.set(host, {
    ...now,
    hashes: new Map(files.map(({ name, content }) => [name, hashOf(content)])),
  })
}

export const differing = (files: readonly ProxyFile[], { hashes }: Look) =>
  files.filter(({ name, content }) => hashes.get(name) !== hashOf(content))

/** The configuration comes last: it names the others. */
export async function write(host: Host, files: readonly ProxyFile[]): Promise<void> {
  const put = ({ name, content, mode }: ProxyFile) => host.files.write(inFolder(name), content, { mode })
  await Promise.all(files.filter(({ name }) => name !== configName).map(put))
  for (const file of files) if (file.name === configName) await put(file)
}
