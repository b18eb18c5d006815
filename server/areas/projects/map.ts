import type { z } from 'zod'
import type { getProjectMap as contract } from '../../../contract/projects.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import { type Actor, getTokenLimit } from '../../route.ts'
import { type ApplicationRow, listApplicationRows } from '../applications/application.ts'
import { listKnownDomains } from '../applications/application-facts.ts'
import { domainUrl, isIssued } from '../applications/hosts/domain-url.ts'
import { listServingInstances } from '../applications/instance.ts'
import { presentApplications } from '../applications/list-applications.ts'
import { computeServiceState } from '../applications/list-services.ts'
import { listJoined } from '../applications/networks.ts'
import { getProjectRow } from './project.ts'
import { findReferences } from './find-references.ts'
import { listMapServers, listReleaseServices } from './store.ts'

type ProjectMap = z.input<(typeof contract)['reply']>['map']

const mostApplications = 200

export async function getProjectMap(ctx: Context, actor: Actor, id: Id<'project'>): Promise<ProjectMap> {
  await getProjectRow(ctx, actor, id)
  const { db } = ctx
  const workspaceId = actor.workspace.id
  const query = { project_id: id, limit: mostApplications }
  const { rows, page } = await listApplicationRows(db, workspaceId, query, getTokenLimit(actor))
  const { applications, factsById } = await presentApplications(ctx, actor, rows)
  const ids = rows.map((row) => row.id)
  const releases = rows.flatMap(({ compose_sealed, release_id }) =>
    compose_sealed === null ? [] : (release_id ?? []),
  )
  const servicesOf = await listReleaseServices(db, workspaceId, releases)
  const services = ({ release_id }: ApplicationRow) => servicesOf.get(release_id ?? 'rel_') ?? []
  const domains = await listKnownDomains(db, workspaceId, ids)
  const servers = await listMapServers(
    db,
    workspaceId,
    id,
    rows.map(({ server_id }) => server_id),
  )
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const domainsById = groupBy(domains, ({ application_id }) => application_id)
  return {
    applications: applications.flatMap((application) => {
      const [row, facts] = [rowsById.get(application.id), factsById.get(application.id)]
      if (!row || !facts) return []
      return {
        ...application,
        domains: (domainsById.get(row.id) ?? []).map((domain) => ({
          url: domainUrl(domain, domain.certificate !== null && isIssued(domain.certificate), facts),
          service: domain.service,
        })),
        services: services(row).map((service) => {
          const instances = facts.instances.filter((instance) => instance.service === service.name)
          const { state, running, wanted } = computeServiceState(row, service, { ...facts, instances })
          return { name: service.name, image: service.image, state, running, wanted }
        }),
      }
    }),
    more: page.total - rows.length,
    servers: servers.map(({ id: serverId, name, status }) => ({ id: serverId, name, status })),
    references: await findReferences(ctx, workspaceId, {
      projectId: id,
      applications: rows,
      services,
      domains,
      servers,
    }),
    networks: await listSharedNetworks(ctx, workspaceId, rows),
  }
}

/** Limits the releases that are opened to read their compose networks, because releases are sealed. */
const mostOpened = 50

async function listSharedNetworks(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  rows: readonly ApplicationRow[],
): Promise<ProjectMap['networks']> {
  const composed = rows.filter(({ compose_sealed }) => compose_sealed !== null).slice(mostOpened)
  const skipped = new Set(composed.map(({ id }) => id))
  const read = rows.filter(({ id }) => !skipped.has(id))
  const instances = await listServingInstances(
    ctx.db,
    workspaceId,
    read.map(({ id }) => id),
  )
  const joined = await listJoined(ctx, workspaceId, read, instances)
  const shared = groupBy(joined, ({ name, application }) => `${application.server_id} ${name}`)
  return [...shared.values()].flatMap((members) => {
    const ids = [...new Set(members.map(({ application }) => application.id))]
    const [first] = members
    if (!first || first.kind === 'application' || ids.length < 2) return []
    const { name, kind, application } = first
    return [{ name, kind, server_id: application.server_id, applications: ids }]
  })
}
