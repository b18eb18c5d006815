import { randomBytes } from 'node:crypto'
import { readScript } from '../../platform/read-script.ts'
import { command } from '../command.ts'
import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyFolder } from './config.ts'

const readMachineScript = readScript('read-machine.sh')

interface Options {
  /** Whether the disk was cloned from another machine, so that the machine needs a new ID. */
  copied?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Reads the ID of a machine. Host keys cannot identify it: the local machine has none here, and workspaces may pin
 * different ones.
 */
export async function readMachine(
  host: Host,
  { copied = false, signal }: Options = {},
): Promise<string | undefined> {
  const read = command('sh', '-c', readMachineScript, 'sh', proxyFolder, copied ? 'new' : 'same')
  const { code, stdout } = await host.run({ ...read, asRoot: true }, { signal })
  if (code === 44) return undefined
  if (code !== 0 || !/^[0-9a-f]{64}$/.test(stdout))
    throw new RemoteError(
      `${proxyFolder}/machine cannot be read on the server. Remove it, then run setup again.`,
    )
  return stdout
}

const sharedFileTimeout = 5_000

/** Checks whether two connections reach the same machine, by writing a file over one and reading it over the other. */
export async function sharesFiles(writer: Host, reader: Host, signal?: AbortSignal): Promise<boolean> {
  const path = `${proxyFolder}/.proof.${randomBytes(16).toString('hex')}`
  const content = randomBytes(32).toString('hex')
  const options = { signal, timeout: sharedFileTimeout }
  // Only users of Docker can read the file.
  const write = command('sh', '-c', 'umask 027; exec cat > "$1"', 'sh', path)
  if ((await writer.run(write, { ...options, input: content })).code !== 0) return false
  try {
    return (await reader.run(command('cat', path), options)).stdout === content
  } finally {
    await writer.run(command('rm', '-f', path), { timeout: sharedFileTimeout }).catch(() => {})
  }
}
