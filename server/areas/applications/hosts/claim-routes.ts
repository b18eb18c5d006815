import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type ListenAddress, listenAddressesOverlap } from '../../compose/ports.ts'
import {
  isSameMachine,
  listServersOnMachine,
  listMachinePorts,
  lockRoutes,
  type MachineRef,
} from '../../servers/machine-servers.ts'

export interface RequestedRoutes {
  /** Undefined while the application is being created. Its own ports do not conflict. */
  application?: Id<'application'>
  /** The domain that is being changed. */
  except?: Id<'domain'>
  domains: { host: string; path: string }[]
  ports: ListenAddress[]
}

/** A port published on all addresses. */
export const onAllAddresses = ({ source }: { source: number }): ListenAddress => ({ host: '', source })

/** Conflicts by index, as sentences. */
export interface RouteConflict {
  of: 'domains' | 'ports'
  index: number
  message: string
}

/** Maps conflicts to field names of the request body. */
export const toFieldProblems = (taken: readonly RouteConflict[]): Record<string, string[]> =>
  Object.fromEntries(
    taken.map(({ of, index, message }) => [
      `${of}.${index}.${of === 'ports' ? 'source' : 'host'}`,
      [message],
    ]),
  )

interface Holder {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'>
  name: string
}

/**
 * Returns conflicts of routes on the machine: domains within the workspace (other workspaces cannot hold the same
 * names, see `host-names.ts`) and ports of all workspaces. Locks the machine until the transaction ends, so free
 * routes can be written.
 */
export async function claimRoutes(
  trx: Trx,
  server: MachineRef,
  wanted: RequestedRoutes,
): Promise<RouteConflict[]> {
  await lockRoutes(trx, server)
  return [...(await takenDomains(trx, server, wanted)), ...(await takenPorts(trx, server, wanted))]
}

async function takenDomains(
  trx: Trx,
  server: MachineRef,
  { domains, ...own }: RequestedRoutes,
): Promise<RouteConflict[]> {
  const hosts = domains.map(({ host }) => host)
  const { rows } = await sql<Holder & { host: string; path: string }>`
    select d.workspace_id, d.application_id, a.name, d.host, d.path
    from domains d
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
    where d.workspace_id = ${server.workspace_id} and d.host = any(${hosts}) and d.id <> ${own.except ?? ''}
      and ${isSameMachine('s', server)}`.execute(trx)
  return domains.flatMap(({ host, path }, index): RouteConflict[] => {
    const twice = domains.findIndex((other) => other.host === host && other.path === path) < index
    if (twice) return [{ of: 'domains', index, message: 'This domain is listed twice.' }]
    const holder = rows.find((row) => row.host === host && row.path === path)
    return holder
      ? [{ of: 'domains', index, message: `This domain is used by ${whose(holder, server, own)}.` }]
      : []
  })
}

async function takenPorts(
  trx: Trx,
  server: MachineRef,
  { ports, ...own }: RequestedRoutes,
): Promise<RouteConflict[]> {
  const published = await listMachinePorts(
    trx,
    server,
    ports.map(({ source }) => source),
  )
  const rows = published.filter((row) => row.application_id !== own.application)
  const kept = ports.length > 0 ? await keptPorts(trx, server) : new Map<number, string>()
  return ports.flatMap((port, index): RouteConflict[] => {
    const { source } = port
    if (ports.slice(0, index).some((other) => listenAddressesOverlap(other, port)))
      return [{ of: 'ports', index, message: `Port ${source} is listed twice.` }]
    const reason = kept.get(source)
    if (reason !== undefined) return [{ of: 'ports', index, message: reason }]
    const holder = rows.find((row) => listenAddressesOverlap(row, port))
    return holder
      ? [{ of: 'ports', index, message: `Port ${source} is used by ${whose(holder, server, own)}.` }]
      : []
  })
}

async function keptPorts(trx: Trx, server: MachineRef): Promise<Map<number, string>> {
  const rows = await listServersOnMachine(trx, server)
  const todo = 'Choose another port.'
  const kept = new Map<number, string>()
  for (const row of rows) {
    for (const port of [row.http_port, row.http_port_used ?? row.http_port])
      kept.set(port, `Port ${port} is the HTTP port of the proxy on this server. ${todo}`)
    for (const port of [row.https_port, row.https_port_used ?? row.https_port])
      kept.set(port, `Port ${port} is the HTTPS port of the proxy on this server. ${todo}`)
    if (row.kind === 'ssh') kept.set(row.port, `Port ${row.port} is the SSH port of this server. ${todo}`)
  }
  return kept
}

function whose(
  holder: Holder,
  server: MachineRef,
  { application }: Pick<RequestedRoutes, 'application'>,
): string {
  if (holder.workspace_id !== server.workspace_id) return 'an application of another workspace on this server'
  return holder.application_id === application ? 'this application' : `application ${holder.name}`
}
