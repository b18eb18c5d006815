import { randomBytes } from 'node:crypto'
import { readScript } from '../../platform/read-script.ts'
import { command } from '../command.ts'
import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyFolder } from './config.ts'

const readMachineScript = readScript('read-machine.sh')

interface Options {
  /** Last known ID, restored if the file is gone. */
  known?: string | null
  /** The disk was cloned from another machine, so it gets a new ID. */
  copied?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Reads the ID of the machine: a secret that only Docker users can read, so it is never an argument.
 * Undefined without a proxy.
 */
export async function readMachine(
  host: Host,
  { known, copied = false, signal }: Options = {},
): Promise<string | undefined> {
  const asked = command('sh', '-c', readMachineScript, 'sh', proxyFolder, copied ? 'new' : 'same')
  const { code, stdout } = await host.run(asked, { signal, input: `${copied ? '' : (known ?? '')}\n` })
  if (code === 44) return undefined
  if (code !== 0 || !isMachine(stdout))
    throw new RemoteError(
      `${proxyFolder}/machine cannot be read on the server. Remove it, then run setup again.`,
    )
  return stdout
}

const isMachine = (text: string) => /^[0-9a-f]{64}$/.test(text)

const SHARED_FILE_TIMEOUT = 5_000

/**
 * Checks whether two connections reach the same machine: a file written over one is read over the other.
 * Throws a `RemoteError` if the machine is unreachable.
 */
export async function sharesFiles(writer: Host, reader: Host, signal?: AbortSignal): Promise<boolean> {
  const path = `${proxyFolder}/.proof.${randomBytes(16).toString('hex')}`
  const content = randomBytes(32).toString('hex')
  const options = { signal, timeout: SHARED_FILE_TIMEOUT }
  // Readable for Docker users only.
  const write = command('sh', '-c', 'umask 027; exec cat > "$1"', 'sh', path)
  if ((await writer.run(write, { ...options, input: content })).code !== 0) return false
  try {
    return (await reader.run(command('cat', path), options)).stdout === content
  } finally {
    await writer.run(command('rm', '-f', path), { timeout: SHARED_FILE_TIMEOUT }).catch(() => {})
  }
}
