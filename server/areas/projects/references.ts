import { isDatabaseImage } from '../../../contract/shared/database-image.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { ReleaseService } from '../../tables.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { openCompose } from '../applications/compose.ts'
import { sealedEntries } from '../applications/config.ts'
import type { DomainFacts } from '../applications/facts-store.ts'
import { projectAlias } from '../compose/docker-names.ts'
import { findHosts, findHostsInCompose } from './hosts.ts'
import {
  listPublishedPorts,
  listShortProjectVariables,
  listShortVariables,
  type listMapServers,
} from './store.ts'

interface Target {
  to: Id<'application'>
  /** Null for a whole application, which a domain and the host name of an image name. */
  service: string | null
}

export interface Reference extends Target {
  from: Id<'application'>
}

interface Members {
  projectId: Id<'project'>
  applications: readonly ApplicationRow[]
  services: (application: ApplicationRow) => readonly Pick<ReleaseService, 'name'>[]
  domains: readonly Pick<DomainFacts, 'application_id' | 'host'>[]
  servers: Awaited<ReturnType<typeof listMapServers>>
}

const longestFile = 65_536

/** Finds applications that name hosts of others in their configuration. Reveals no value. */
export async function findReferences(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  members: Members,
): Promise<Reference[]> {
  const { applications, projectId } = members
  const ids = applications.map(({ id }) => id)
  const find = await readTargets(ctx, workspaceId, members)
  const [own, shared] = [sealedEntries('variables'), sealedEntries('project_variables')]
  const variables = groupBy(await listShortVariables(ctx.db, workspaceId, ids), (row) => row.application_id)
  const inherited = (await listShortProjectVariables(ctx.db, workspaceId, projectId)).map((row) => ({
    key: row.key,
    hosts: findHosts(row.key, shared.open(ctx, row)),
  }))
  return applications.flatMap((application) => {
    const rows = variables.get(application.id) ?? []
    const keys = new Set(rows.map(({ key }) => key))
    const text = (openCompose(ctx, application)?.text ?? '').slice(0, longestFile)
    const uses = (key: string) => application.compose_sealed === null || text.includes(key)
    // A database receives the variables of the project, but connects to nothing with them.
    const isDatabase = isDatabaseImage(application.image ?? '')
    const hosts = [
      ...rows.filter(({ key }) => uses(key)).flatMap((row) => findHosts(row.key, own.open(ctx, row))),
      ...inherited
        .filter(({ key }) => !isDatabase && !keys.has(key) && uses(key))
        .flatMap((row) => row.hosts),
      // Service names in its file are its own services.
      ...findHostsInCompose(text).filter(
        (host) => !application.services?.includes(host.replace(/:\d+$/, '')),
      ),
    ]
    const targets = new Map(
      hosts.flatMap((host) => find(application, host)).map((target) => [key(target), target]),
    )
    return [...targets.values()]
      .filter(({ to }) => to !== application.id)
      .map((target) => ({ from: application.id, ...target }))
  })
}

const key = ({ to, service }: Target) => `${to} ${service ?? ''}`

type FindTarget = (from: ApplicationRow, host: string) => Target[]

/** Host names are those of the project network, which only reach applications on the same server, and domains. */
async function readTargets(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  { applications, services, domains, servers }: Members,
): Promise<FindTarget> {
  const targets = new Map<string, Target>()
  for (const { application_id, host } of domains) targets.set(host, { to: application_id, service: null })
  for (const application of applications) {
    const { id, slug, server_id } = application
    if (application.compose_sealed === null) targets.set(`${server_id} ${slug}`, { to: id, service: null })
    const names = new Set([...(application.services ?? []), ...services(application).map(({ name }) => name)])
    for (const service of names)
      targets.set(`${server_id} ${projectAlias(application, service)}`, { to: id, service })
  }
  const addresses = new Map(servers.map(({ id, address }) => [id, address]))
  const serverOf = new Map(applications.map(({ id, server_id }) => [id, server_id]))
  const ports = await listPublishedPorts(ctx.db, workspaceId, [...serverOf.keys()])
  for (const { application_id, service, source } of ports) {
    const address = addresses.get(serverOf.get(application_id) ?? 'srv_')
    if (address) targets.set(`${address}:${source}`, { to: application_id, service: service || null })
  }
  return ({ server_id }, host) => {
    const name = host.replace(/:\d+$/, '')
    const target = targets.get(host) ?? targets.get(`${server_id} ${name}`) ?? targets.get(name)
    return target ? [target] : []
  }
}
