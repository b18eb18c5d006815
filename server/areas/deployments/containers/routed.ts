import { sql } from 'kysely'
import type { Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'

type Of = Pick<ApplicationRow, 'workspace_id' | 'id'>

/** Whether anything comes to it through the proxy: an address or a published port leads there. */
export async function isRouted(db: Db, { workspace_id, id }: Of): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domains where workspace_id = ${workspace_id} and application_id = ${id}
    union all
    select 1 from published_ports where workspace_id = ${workspace_id} and application_id = ${id}
    limit 1`.execute(db)
  return rows.length > 0
}

export async function listPublished(db: Db, { workspace_id, id }: Of): Promise<number[]> {
  const { rows } = await sql<{ source: number }>`
    select source from published_ports
    where workspace_id = ${workspace_id} and application_id = ${id}`.execute(db)
  return rows.map(({ source }) => source)
}

/** Where the proxy would lead what comes to it. */
export interface Target {
  service: string
  kind: 'address' | 'port'
  /** In the container; nothing where it is the application's own. */
  port: number | null
  /** What leads there, in words. */
  from: string
  /** Given to it without being asked for: a program that takes no requests has one, too. */
  generated: boolean
}

export async function listTargets(db: Db, { workspace_id, id }: Of): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select service, 'address' as kind, port, 'the domain ' || host || case path when '/' then '' else path end as from, generated
    from domains
    where workspace_id = ${workspace_id} and application_id = ${id}
    union all
    select service, 'port', target, 'the published port ' || source, false from published_ports
    where workspace_id = ${workspace_id} and application_id = ${id}
    order by 4`.execute(db)
  return rows
}

/** The services of a file that take requests: through a domain, or one of the ports that it publishes through the proxy. */
export async function listRouted(
  db: Db,
  application: Of,
  published: readonly { service: string }[],
): Promise<Set<string>> {
  const domains = (await listTargets(db, application)).filter(({ kind }) => kind === 'address')
  return new Set([...domains, ...published].map(({ service }) => service))
}
