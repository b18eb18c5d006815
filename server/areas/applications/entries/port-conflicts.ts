import type { Context } from '../../../context.ts'
import { command } from '../../../remote/command.ts'
import { readScript } from '../../../platform/read-script.ts'
import { RemoteError } from '../../../remote/errors.ts'
import type { Docker, Host } from '../../../remote/host.ts'
import { type ListenAddress, listenAddressesOverlap } from '../../compose/ports.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { onAllAddresses } from '../hosts/claim-routes.ts'
import type { FieldProblems, PortMapping } from './ports.ts'

/** The timeout is short, since a user waits; the deployment checks again. */
const LIMIT = 3_000

export async function findBusyPorts(
  ctx: Context,
  server: ServerRow,
  ports: readonly PortMapping[],
  isNew: (port: PortMapping) => boolean = () => true,
): Promise<FieldProblems> {
  const addresses = ports.filter(isNew).map(onAllAddresses)
  if (addresses.length === 0 || server.status !== 'ready') return {}
  const signal = AbortSignal.timeout(LIMIT)
  const taken = await listUsedPortsIfReachable(ctx, server, addresses, signal)
  return Object.fromEntries(
    ports.flatMap(({ source }, index): [string, string[]][] =>
      taken.has(source)
        ? [[`ports.${index}.source`, [busyPortMessage(server, source, taken.get(source))]]]
        : [],
    ),
  )
}

const busyPortMessage = (server: Pick<ServerRow, 'name'>, port: number, by: string | null | undefined) =>
  `Port ${port} on ${server.name} is already in use by ${by ?? 'another program'}. Stop it, or choose another port.`

export const portInUseMessage = ({ name }: Pick<ServerRow, 'name'>, port: number, by: string | null) =>
  `Port ${port} on ${name} is already in use${by ? ` by ${by}` : ''}. Stop it, or publish another port.`

async function listUsedPortsIfReachable(
  ctx: Context,
  server: ServerRow,
  ports: ListenAddress[],
  signal: AbortSignal,
) {
  try {
    const host = getServerHost(ctx, server)
    await host.connect(signal)
    return await listUsedPorts(host, ports, { signal })
  } catch (error) {
    if (signal.aborted || error instanceof RemoteError) return new Map<number, string | null>()
    throw error
  }
}

interface Options {
  signal?: AbortSignal | undefined
  /** Ports of Slipway’s proxy: without root access, a listener there is assumed to be the proxy. */
  ours?: readonly number[]
}

/**
 * Finds port conflicts with other programs of the server. Slipway’s own proxy does not count: it releases ports on
 * reload.
 */
export async function listUsedPorts(
  host: Host,
  requested: readonly ListenAddress[],
  { signal, ours = [] }: Options = {},
): Promise<Map<number, string | null>> {
  if (requested.length === 0) return new Map()
  const [published, listening] = await Promise.all([
    listDockerPorts(host.docker, signal),
    listListeningSockets(host, requested, signal),
  ])
  const unclear = listening.filter(
    (socket) => !published.some((port) => listenAddressesOverlap(socket, port)),
  )
  const owners = unclear.length > 0 ? await findSocketOwners(host, unclear, signal) : new Map<string, Owner>()
  const own = owners.size > 0 ? await listProxyProcesses(host.docker, signal) : new Set<string>()
  const unclaimed = unclear.flatMap(({ source, inode }): [number, string | null][] => {
    const owner = owners.get(inode)
    if (owner ? own.has(owner.pid) : ours.includes(source)) return []
    return [[source, owner?.name ?? null]]
  })
  const byDocker = published.filter((port) =>
    requested.some((address) => listenAddressesOverlap(port, address)),
  )
  return new Map([...unclaimed, ...byDocker.map(({ source, by }): [number, string] => [source, by])])
}

interface Listed {
  Names: string[] | null
  Ports: { IP?: string; PublicPort?: number; Type: string }[] | null
}

/** Docker can forward a port without a listening process. */
async function listDockerPorts(
  docker: Docker,
  signal: AbortSignal | undefined,
): Promise<(ListenAddress & { by: string })[]> {
  const containers = await docker.json<Listed[]>({ path: '/containers/json', signal })
  return containers.flatMap(({ Names, Ports }) =>
    (Ports ?? []).flatMap(({ IP = '', PublicPort: source, Type }) => {
      if (source === undefined || Type !== 'tcp') return []
      const host = /^(0\.0\.0\.0|::)$/.test(IP) ? '' : IP
      return [{ host, source, by: `the container ${(Names?.[0] ?? '').replace(/^\//, '')}` }]
    }),
  )
}

interface Socket extends ListenAddress {
  inode: string
}

const LISTENING = `cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$4 == "0A" { print $2, $10 }'`

async function listListeningSockets(
  host: Host,
  requested: readonly ListenAddress[],
  signal: AbortSignal | undefined,
): Promise<Socket[]> {
  const { stdout } = await host.run(command('sh', '-c', LISTENING), { signal })
  return [...stdout.matchAll(/^([0-9A-F]+):([0-9A-F]{4}) (\d+)$/gm)]
    .map(([, address = '', port = '', inode = '']) => ({
      host: parseSocketHost(address),
      source: Number.parseInt(port, 16),
      inode,
    }))
    .filter((socket) => requested.some((address) => listenAddressesOverlap(socket, address)))
}

interface Owner {
  pid: string
  name: string
}

const ownersScript = readScript('find-socket-owners.sh')

/** Only root sees sockets of other users; without it they have no owner. */
async function findSocketOwners(
  host: Host,
  sockets: readonly Socket[],
  signal: AbortSignal | undefined,
): Promise<Map<string, Owner>> {
  const inodes = sockets.map(({ inode }) => inode)
  const ownersCommand = { ...command('sh', '-c', ownersScript, 'sh', ...inodes), asRoot: true }
  const { stdout } = await host.run(ownersCommand, { signal })
  return new Map(
    [...stdout.matchAll(/^(\d+) (\d+) (.+)$/gm)].map(([, pid = '', inode = '', name = '']) => [
      inode,
      { pid, name },
    ]),
  )
}

async function listProxyProcesses(docker: Docker, signal: AbortSignal | undefined): Promise<Set<string>> {
  try {
    const { Titles, Processes } = await docker.json<{ Titles: string[]; Processes: string[][] | null }>({
      path: '/containers/slipway-proxy/top',
      signal,
    })
    const column = Titles.indexOf('PID')
    return new Set((Processes ?? []).map((process) => process[column] ?? ''))
  } catch (error) {
    if (error instanceof RemoteError && !signal?.aborted) return new Set()
    throw error
  }
}

function parseSocketHost(written: string): string {
  if (/^0+$/.test(written)) return ''
  const bytes = Buffer.from(written, 'hex')
  // The kernel prints each 32-bit word in host byte order.
  const inOrder = [...Array(bytes.length / 4).keys()].flatMap((word) =>
    [...bytes.subarray(4 * word, 4 * word + 4)].toReversed(),
  )
  const isMapped = bytes.length === 16 && Buffer.from(inOrder).toString('hex').startsWith(mapped)
  if (bytes.length === 4 || isMapped) return inOrder.slice(-4).join('.')
  const groups = Buffer.from(inOrder).toString('hex').match(/.{4}/g) ?? []
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

const mapped = '00000000000000000000ffff'
