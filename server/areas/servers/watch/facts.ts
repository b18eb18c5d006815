import { command } from '../../../remote/command.ts'
import type { Host } from '../../../remote/host.ts'

/** Uses only programs that exist on every system that Docker supports. */
const SCRIPT = `
  printf 'os=%s\\n' "$(. /etc/os-release 2> /dev/null && printf %s "$PRETTY_NAME")"
  printf 'architecture=%s\\n' "$(uname -m)"
  printf 'cpus=%s\\n' "$(getconf _NPROCESSORS_ONLN 2> /dev/null || nproc)"
  printf 'memory=%s\\n' "$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)"
  printf 'disk=%s\\n' "$(df -Pk / | awk 'NR == 2 { print $2 }')"`

export async function readFacts(host: Host, signal: AbortSignal) {
  const { stdout } = await host.run(command('sh', '-c', SCRIPT), { signal, maxBytes: 10_000 })
  const said = new Map(
    stdout.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  )
  const text = (name: string) => clean(said.get(name) ?? '') || null
  const count = (name: string) => (/^\d{1,15}$/.test(said.get(name) ?? '') ? Number(said.get(name)) : null)
  const bytes = (name: string) => {
    const kibibytes = count(name)
    return kibibytes === null ? null : kibibytes * 1024
  }
  return {
    os: text('os'),
    architecture: text('architecture'),
    cpus: count('cpus'),
    memory_bytes: bytes('memory'),
    disk_bytes: bytes('disk'),
  }
}

export async function readDockerVersion(host: Host, signal: AbortSignal): Promise<string | null> {
  const said = await host.docker
    .json<{ Version?: unknown } | undefined>({ path: '/version', signal, timeout: 10_000 })
    .catch(() => undefined)
  return typeof said?.Version === 'string' ? clean(said.Version) : null
}

/** Sanitizes output of an untrusted machine to one short printable line. */
const clean = (text: string) => text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, 100)
