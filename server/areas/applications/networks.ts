import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { composeNetworkName, projectAlias } from '../compose/docker-names.ts'
import type { z } from 'zod'
import type { listApplicationNetworks as contract } from '../../../contract/application-entries.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import type { Model } from '../compose/model.ts'
import { hasNetworks } from '../compose/proxy-network.ts'
import { type ApplicationRow, getApplicationRow, findProject } from './application.ts'
import { type Instance, listInstances } from './instance.ts'
import { findReleases, openReleaseCompose } from './release.ts'

/** A host name in a project network. Unique on the server, so that applications can change projects at any time. */
export interface NetworkName {
  name: string
  who: string
}

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

export async function listNetworkNames(
  db: Db,
  { workspace_id, server_id }: { workspace_id: Id<'workspace'>; server_id: Id<'server'> },
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
    toNetworkNames(slug, isFile ? [...new Set([...services, ...deployed])] : undefined).map((network) => ({
      name: network.name,
      who: isFile ? `${network.who.replace(/^T/, 't')} of the application ${name}` : `application ${name}`,
    })),
  )
}

/** Docker compares host names case-insensitively. */
export const isSameHost = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

export const nameProblems = (names: readonly NetworkName[], had: readonly NetworkName[]): string[] =>
  names.flatMap(({ name, who }, index) => {
    const twin = names
      .slice(0, index)
      .find((earlier) => isSameHost(earlier.name, name) && earlier.who !== who)
    const owner = had.find((existing) => isSameHost(existing.name, name))?.who ?? twin?.who.replace(/^T/, 't')
    return owner === undefined
      ? []
      : [
          `${who} would have the host name ${name} in the project network, but ${owner} already uses it. Choose another name in the compose file.`,
        ]
  })

type Reply = z.input<(typeof contract)['reply']>
type Kind = Reply['networks'][number]['kind']

/** Lists the networks of the running containers. A change of the configuration affects them on the next deployment. */
export async function listApplicationNetworks(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
): Promise<Reply> {
  const application = await getApplicationRow(ctx, actor, id)
  const { workspace_id, project_id } = application
  const all = await listInstances(ctx.db, workspace_id, id)
  const running = all.filter(({ state }) => state === 'serving')
  const project = project_id ? await findProject(ctx.db, workspace_id, project_id) : undefined
  const networks = new Map<string, { kind: Kind; services: Set<string> }>()
  for (const { name, kind, service } of await listJoined(ctx, workspace_id, [application], running)) {
    const network = networks.get(name) ?? { kind, services: new Set() }
    networks.set(name, network)
    if (service !== '') network.services.add(service)
  }
  return {
    networks: [...networks].map(([name, { kind, services }]) => ({
      name,
      kind,
      services: [...services].toSorted(),
    })),
    project: project ?? null,
    hosts: toHosts(application, running),
  }
}

export async function listJoined(
  ctx: Pick<Context, 'db' | 'secrets'>,
  workspaceId: Id<'workspace'>,
  applications: readonly ApplicationRow[],
  running: readonly Instance[],
) {
  const ids = running.map(({ release_id }) => release_id)
  const releases = await findReleases(ctx.db, workspaceId, ids)
  const models = new Map<Id<'release'>, Model | undefined>()
  for (const release of releases) {
    models.set(release.id, openReleaseCompose(ctx, release)?.model)
    // Opening a model can take long, so let other requests run in between.
    await setImmediate()
  }
  return applications.flatMap((application) =>
    running
      .filter(({ application_id }) => application_id === application.id)
      .flatMap(({ service, release_id, network, project_network }) => {
        const model = models.get(release_id)
        const definition = model?.services[service]
        const keys = definition && hasNetworks(definition) ? Object.keys(definition.networks ?? {}) : []
        const part = { application, service }
        return [
          ...(network === null ? [] : [{ ...part, name: network, kind: 'application' as const }]),
          ...keys.map((key) => ({
            ...part,
            name: model ? composeNetworkName(application, model, key) : key,
            kind: 'compose' as const,
          })),
          ...(project_network === null ? [] : [{ ...part, name: project_network, kind: 'project' as const }]),
        ]
      }),
  )
}

function toHosts(application: ApplicationRow, running: readonly Instance[]): Reply['hosts'] {
  if (application.compose_sealed === null) return [{ service: null, host: application.slug }]
  const joined = running.filter(({ project_network }) => project_network !== null)
  const reached = joined.length > 0 ? joined : running.filter(({ network }) => network !== null)
  return [...new Set(reached.map(({ service }) => service))]
    .toSorted()
    .map((service) => ({ service, host: projectAlias(application, service) }))
}
