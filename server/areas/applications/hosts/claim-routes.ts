import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type ListenAddress, listenAddressesOverlap } from '../../compose/ports.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { listPublishedPortsOf, lockRoutes } from '../../servers/web-ports.ts'

export interface RequestedRoutes {
  application?: Id<'application'>
  except?: Id<'domain'>
  domains: { host: string; path: string }[]
  ports: ListenAddress[]
}

export const onAllAddresses = ({ source }: { source: number }): ListenAddress => ({ host: '', source })

export interface RouteConflict {
  field: string
  message: string
}

export const toFieldProblems = (conflicts: readonly RouteConflict[]): Record<string, string[]> =>
  Object.fromEntries(conflicts.map(({ field, message }) => [field, [message]]))

interface Holder {
  application_id: Id<'application'>
  name: string
}

type RoutedServer = Pick<ServerRow, 'id' | 'workspace_id'>

export async function claimRoutes(
  trx: Trx,
  server: RoutedServer,
  requested: RequestedRoutes,
): Promise<RouteConflict[]> {
  await lockRoutes(trx, server)
  return [
    ...(await findDomainConflicts(trx, server, requested)),
    ...(await findPortConflicts(trx, server, requested)),
  ]
}

async function findDomainConflicts(
  trx: Trx,
  { id, workspace_id }: RoutedServer,
  { domains, application, except }: RequestedRoutes,
): Promise<RouteConflict[]> {
  const hosts = domains.map(({ host }) => host)
  const { rows } = await sql<Holder & { host: string; path: string }>`
    select d.application_id, a.name, d.host, d.path from domains d
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    where d.workspace_id = ${workspace_id} and a.server_id = ${id} and d.host = any(${hosts})
      and d.id <> ${except ?? ''}`.execute(trx)
  return domains.flatMap(({ host, path }, index): RouteConflict[] => {
    const field = `domains.${index}.host`
    const first = domains.findIndex((domain) => domain.host === host && domain.path === path)
    if (first < index) return [{ field, message: 'This domain is listed twice.' }]
    const holder = rows.find((row) => row.host === host && row.path === path)
    return holder ? [{ field, message: `This domain is used by ${nameHolder(holder, application)}.` }] : []
  })
}

async function findPortConflicts(
  trx: Trx,
  server: RoutedServer,
  { ports, application }: RequestedRoutes,
): Promise<RouteConflict[]> {
  if (ports.length === 0) return []
  const published = await listPublishedPortsOf(
    trx,
    server,
    ports.map(({ source }) => source),
  )
  const rows = published.filter((row) => row.application_id !== application)
  const reserved = await findReservedPorts(trx, server)
  return ports.flatMap((port, index): RouteConflict[] => {
    const { source } = port
    const field = `ports.${index}.source`
    if (ports.slice(0, index).some((earlier) => listenAddressesOverlap(earlier, port)))
      return [{ field, message: `Port ${source} is listed twice.` }]
    const use = reserved.get(source)
    if (use !== undefined)
      return [{ field, message: `Port ${source} is the ${use} this server. Choose another port.` }]
    const holder = rows.find((row) => listenAddressesOverlap(row, port))
    return holder ? [{ field, message: `Port ${source} is used by ${nameHolder(holder, application)}.` }] : []
  })
}

/** Includes configured ports of the proxy, which apply on the next setup. */
async function findReservedPorts(
  trx: Trx,
  { workspace_id, id }: RoutedServer,
): Promise<Map<number | null, string>> {
  const server = await findServer({ db: trx }, workspace_id, id)
  if (!server) return new Map()
  return new Map([
    [server.http_port, 'HTTP port of the proxy on'],
    [server.http_port_used, 'HTTP port of the proxy on'],
    [server.https_port, 'HTTPS port of the proxy on'],
    [server.https_port_used, 'HTTPS port of the proxy on'],
    ...(server.kind === 'ssh' ? [[server.port, 'SSH port of'] as const] : []),
  ])
}

const nameHolder = (holder: Holder, application: Id<'application'> | undefined): string =>
  holder.application_id === application ? 'this application' : `application ${holder.name}`
