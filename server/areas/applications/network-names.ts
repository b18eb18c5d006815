import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { ownAliasOf } from '../compose/names.ts'

interface Place {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
}

/** By which something of an application is found in the network of its project. It is its own on the whole server, so that projects can be changed at any time. */
export interface NetworkName {
  name: string
  /** What has it, as a sentence begins, such as `The service db`. */
  who: string
}

/** A service of a compose file has the name of the application before its own; a single image has just that. */
export const namesIn = (slug: string, services: readonly string[] | undefined): NetworkName[] =>
  services
    ? services.map((service) => ({ name: ownAliasOf({ slug }, service), who: `The service ${service}` }))
    : [{ name: slug, who: 'The application' }]

interface Row {
  slug: string
  name: string
  isFile: boolean
  services: string[]
  deployed: string[]
}

/** Who has which name there, as far as it is configured or runs; `than` is the one that asks. */
export async function listNetworkNames(
  db: Db,
  { workspace_id, server_id }: Place,
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
    namesIn(slug, isFile ? [...new Set([...services, ...deployed])] : undefined).map((one) => ({
      name: one.name,
      who: isFile ? `${one.who.replace(/^T/, 't')} of the application ${name}` : `the application ${name}`,
    })),
  )
}

/** Docker compares host names without their case. */
export const isSameHost = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Which of these names somebody else has, or two of them have alike, as sentences. */
export const nameProblems = (wanted: readonly NetworkName[], had: readonly NetworkName[]): string[] =>
  wanted.flatMap(({ name, who }, at) => {
    const twin = wanted.slice(0, at).find((one) => isSameHost(one.name, name) && one.who !== who)
    const other = had.find((one) => isSameHost(one.name, name))?.who ?? twin?.who.replace(/^T/, 't')
    return other === undefined
      ? []
      : [
          `${who} would have the host name ${name} in the network of a project, which ${other} already uses: requests would go to the wrong one. Rename the service in the compose file.`,
        ]
  })
