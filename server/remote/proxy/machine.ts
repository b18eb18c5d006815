import { readScript } from '../../platform/read-script.ts'
import { command } from '../command.ts'
import { RemoteError } from '../errors.ts'
import type { Host } from '../host.ts'
import { proxyFolder } from './config.ts'

const readMachineScript = readScript('read-machine.sh')

interface Options {
  /** The disk was cloned from another machine, so it gets a new ID. */
  copied?: boolean
  signal?: AbortSignal | undefined
}

/** Host keys would not do: the local machine has none here, and workspaces may pin different ones. */
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
