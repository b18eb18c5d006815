import { sql } from 'kysely'
import type { Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'

type ApplicationRef = Pick<ApplicationRow, 'workspace_id' | 'id'>

export async function isRouted(db: Db, { workspace_id, id }: ApplicationRef): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domains where workspace_id = ${workspace_id} and application_id = ${id}
    union all
    select 1 from published_ports where workspace_id = ${workspace_id} and application_id = ${id}
    limit 1`.execute(db)
  return rows.length > 0
}

export async function listPublishedPorts(db: Db, { workspace_id, id }: ApplicationRef): Promise<number[]> {
  const { rows } = await sql<{ source: number }>`
    select source from published_ports
    where workspace_id = ${workspace_id} and application_id = ${id}`.execute(db)
  return rows.map(({ source }) => source)
}

export interface RouteTarget {
  service: string
  kind: 'address' | 'port'
  /** Container port; null for the port of the application. */
  port: number | null
  /** Domain or published port, as a phrase. */
  from: string
  /** Generated URLs exist for applications without HTTP, too. */
  generated: boolean
}

export async function listRouteTargets(db: Db, { workspace_id, id }: ApplicationRef): Promise<RouteTarget[]> {
  const { rows } = await sql<RouteTarget>`
    select service, 'address' as kind, port, 'the domain ' || host || case path when '/' then '' else path end as from, generated
    from domains
    where workspace_id = ${workspace_id} and application_id = ${id}
    union all
    select service, 'port', target, 'the published port ' || source, false from published_ports
    where workspace_id = ${workspace_id} and application_id = ${id}
    order by 4`.execute(db)
  return rows
}

/** Lists services with a domain or a published port. */
export async function listRoutedServices(
  db: Db,
  application: ApplicationRef,
  published: readonly { service: string }[],
): Promise<Set<string>> {
  const domains = (await listRouteTargets(db, application)).filter(({ kind }) => kind === 'address')
  return new Set([...domains, ...published].map(({ service }) => service))
}
