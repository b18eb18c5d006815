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
      `${proxyFolder}/machine cannot be read on the server. Remove it, then set up again.`,
    )
  return stdout
}

const isMachine = (text: string) => /^[0-9a-f]{64}$/.test(text)
