import { setImmediate } from 'node:timers/promises'
import { isDatabaseImage } from '../../../contract/shared/database-image.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { ReleaseService } from '../../tables.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { openCompose } from '../applications/compose.ts'
import { sealedEntries } from '../applications/config.ts'
import type { DomainFacts } from '../applications/application-facts.ts'
import { projectAlias } from '../compose/docker-names.ts'
import { findHosts, listComposeEntries } from './find-hosts.ts'
import {
  listPublishedPorts,
  listShortProjectVariables,
  listShortVariables,
  type listMapServers,
} from './store.ts'

interface Target {
  to: Id<'application'>
  /** Null if the host name belongs to the whole application: a domain, or the host name of an image application. */
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
  const { find, names } = await readTargets(ctx, workspaceId, members)
  const yieldIfDue = createYield()
  // Look for words first, because finding host names costs much more.
  const hostsIn = async (key: string, value: string) => {
    await yieldIfDue()
    return wordsOf(value.toLowerCase()).some((word) => names.has(word)) ? findHosts(key, value) : []
  }
  const [own, shared] = [sealedEntries('variables'), sealedEntries('project_variables')]
  const variables = groupBy(await listShortVariables(ctx.db, workspaceId, ids), (row) => row.application_id)
  const inherited: { key: string; parts: string[]; hosts: string[] }[] = []
  for (const row of await listShortProjectVariables(ctx.db, workspaceId, projectId))
    inherited.push({
      key: row.key,
      parts: partsOf(row.key),
      hosts: await hostsIn(row.key, shared.open(ctx, row)),
    })
  const references: Reference[] = []
  for (const application of applications) {
    const { id, image, services } = application
    const rows = variables.get(id) ?? []
    const keys = new Set(rows.map(({ key }) => key))
    const text = (openCompose(ctx, application)?.text ?? '').slice(0, longestFile)
    const words = new Set(text.match(/\w+/g))
    const uses = (parts: string[]) =>
      application.compose_sealed === null || parts.every((part) => words.has(part))
    // A database receives the variables of the project, but connects to nothing with them.
    const isDatabase = isDatabaseImage(image ?? '')
    const hosts = new Set<string>()
    for (const row of rows.filter((row) => uses(partsOf(row.key))))
      for (const host of await hostsIn(row.key, own.open(ctx, row))) hosts.add(host)
    for (const row of inherited)
      if (!isDatabase && !keys.has(row.key) && uses(row.parts)) for (const host of row.hosts) hosts.add(host)
    for (const [name, value] of listComposeEntries(text))
      for (const host of await hostsIn(name, value))
        // Service names in the compose file of the application refer to its own services.
        if (!services?.includes(host.replace(/:\d+$/, ''))) hosts.add(host)
    const targets = new Map<string, Target>()
    for (const host of hosts) for (const target of find(application, host)) targets.set(key(target), target)
    for (const target of targets.values()) if (target.to !== id) references.push({ from: id, ...target })
    await yieldIfDue()
  }
  return references
}

const partsOf = (key: string) => key.split(/\W+/)

const wordsOf = (text: string) => text.match(/[a-z0-9][a-z0-9._-]*/g) ?? []

const mostBusyMs = 10

/** Lets other requests proceed, because large projects take seconds. */
function createYield(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < mostBusyMs) return
    await setImmediate()
    since = performance.now()
  }
}

const key = ({ to, service }: Target) => `${to} ${service ?? ''}`

type FindTarget = (from: ApplicationRow, host: string) => Target[]

/**
 * Reads the host names of applications: those of the project network, which work on the same server only, and domains.
 */
async function readTargets(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  { applications, services, domains, servers }: Members,
): Promise<{ find: FindTarget; names: Set<string> }> {
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
  const find: FindTarget = ({ server_id }, host) => {
    const name = host.replace(/:\d+$/, '')
    const target = targets.get(host) ?? targets.get(`${server_id} ${name}`) ?? targets.get(name)
    return target ? [target] : []
  }
  const names = [...targets.keys()].map((place) => place.replace(/^\S+ |:\d+$/g, ''))
  return { find, names: new Set(names) }
}
