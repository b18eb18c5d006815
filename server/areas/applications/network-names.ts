import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { projectAlias } from '../compose/docker-names.ts'

interface ServerRef {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
}

/** A host name in a project network. Unique on the server, so that applications can change projects at any time. */
export interface NetworkName {
  name: string
  /** Starts a sentence, such as `The service db`. */
  who: string
}

/** Services are prefixed with the application name. */
export const toNetworkNames = (slug: string, services: readonly string[] | undefined): NetworkName[] =>
  services
    ? services.map((service) => ({ name: projectAlias({ slug }, service), who: `The service ${service}` }))
    : [{ name: slug, who: 'The application' }]

interface Row {
  slug: string
  name: string
  isFile: boolean
  services: string[]
  deployed: string[]
}

/** Lists configured and live names on the server, except those of application `than`. */
export async function listNetworkNames(
  db: Db,
  { workspace_id, server_id }: ServerRef,
  than?: Id<'application'>,
): Promise<NetworkName[]> {
  const { rows } = await sql<Row>`
    select a.slug, a.name, a.compose_sealed is not null as "isFile", coalesce(a.services, '{}') as services,
      array(select jsonb_array_elements(coalesce(nullif(r.config -> 'services', 'null'), '[]')) ->> 'name') as deployed
    from applications a
    left join releases r on r.workspace_id = a.workspace_id and r.id = a.release_id
    where a.workspace_id = ${workspace_id} and a.server_id = ${server_id} and a.id <> ${than ?? ''}`.execute(
    db,
  )
  return rows.flatMap(({ slug, name, isFile, services, deployed }) =>
    toNetworkNames(slug, isFile ? [...new Set([...services, ...deployed])] : undefined).map((one) => ({
      name: one.name,
      who: isFile ? `${one.who.replace(/^T/, 't')} of the application ${name}` : `application ${name}`,
    })),
  )
}

/** Docker compares host names case-insensitively. */
export const isSameHost = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export const nameProblems = (wanted: readonly NetworkName[], had: readonly NetworkName[]): string[] =>
  wanted.flatMap(({ name, who }, at) => {
    const twin = wanted.slice(0, at).find((one) => isSameHost(one.name, name) && one.who !== who)
    const other = had.find((one) => isSameHost(one.name, name))?.who ?? twin?.who.replace(/^T/, 't')
    return other === undefined
      ? []
      : [
          `${who} would have the host name ${name} in the project network, which ${other} already uses. Rename the service in the compose file.`,
        ]
  })
