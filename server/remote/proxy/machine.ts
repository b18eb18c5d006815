import { randomBytes } from 'node:crypto'
import { command } from '../command.ts'
import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyFolder } from './config.ts'

/** Of two who make one at the same time the first has made it. */
const script = `cd "$1" 2>/dev/null || exit 44
known=
read -r known
[ "$2" = same ] && [ -s machine ] || rm -f machine
[ -e machine ] || {
  new=$(mktemp .machine.XXXXXX) || exit
  { [ -n "$known" ] && printf %s "$known" || od -An -N32 -tx1 /dev/urandom | tr -d ' \\n'; } > "$new" &&
    chmod 640 "$new" && ln "$new" machine 2>/dev/null
  rm -f "$new"
}
exec cat machine`

interface Options {
  /** What it was called when it was last seen, which it gets back should its file be gone. */
  known?: string | null
  /** It has the file of another machine, copied with its disk, and is to be called something else. */
  copied?: boolean
  signal?: AbortSignal | undefined
}

/**
 * What the machine is called among those that share a proxy: a secret that only who may use its Docker can read, so it
 * stands in no argument list. Nothing where there is no proxy.
 */
export async function readMachine(
  host: Host,
  { known, copied = false, signal }: Options = {},
): Promise<string | undefined> {
  const asked = command('sh', '-c', script, 'sh', proxyFolder, copied ? 'new' : 'same')
  const { code, stdout } = await host.run(asked, { signal, input: `${copied ? '' : (known ?? '')}\n` })
  if (code === 44) return undefined
  if (code !== 0 || !isMachine(stdout))
    throw new RemoteError(
      `${proxyFolder}/machine cannot be read on the server. Remove it, then run setup again.`,
    )
  return stdout
}

const isMachine = (text: string) => /^[0-9a-f]{64}$/.test(text)

/** Milliseconds that each step may take. */
const SHARED_FILE_TIMEOUT = 5_000

/**
 * Whether two connections lead to one machine: a random file written over the one can be read over the other. Throws a `RemoteError`
 * when the machine cannot be asked.
 */
export async function sharesFiles(writer: Host, reader: Host, signal?: AbortSignal): Promise<boolean> {
  const path = `${proxyFolder}/.proof.${randomBytes(16).toString('hex')}`
  const content = randomBytes(32).toString('hex')
  const options = { signal, timeout: SHARED_FILE_TIMEOUT }
  // Only those who may use Docker there can read it.
  const write = command('sh', '-c', 'umask 027; exec cat > "$1"', 'sh', path)
  if ((await writer.run(write, { ...options, input: content })).code !== 0) return false
  try {
    return (await reader.run(command('cat', path), options)).stdout === content
  } finally {
    await writer.run(command('rm', '-f', path), { timeout: SHARED_FILE_TIMEOUT }).catch(() => {})
  }
}
