import type { Instance } from '../../applications/instance.ts'
import { findReleases } from '../../applications/release.ts'
import { countSessions } from '../../proxies/sessions.ts'
import { countInternalConnections } from './count-internal-connections.ts'
import { releasePorts } from '../containers/publish-ports.ts'
import { removeInstances, type RemovalContext, stopInstances } from './remove-instances.ts'
import { isRouted } from '../containers/routed.ts'

/** Open connections per instance. */
export type OpenConnections = ReadonlyMap<Instance['id'], number>

export const countOpenRequests = async (of: DrainContext, going: Instance[]): Promise<OpenConnections> =>
  (await isRouted(of.ctx.db, of.application)) || (await wasPublished(of, going))
    ? countSessions(of.ctx, of.server)
    : new Map()

/** Includes connections from other services. */
export async function countOpenConnections(of: DrainContext, going: Instance[]): Promise<OpenConnections> {
  const [outside, inside] = await Promise.all([
    countOpenRequests(of, going),
    countInternalConnections(of, going),
  ])
  return new Map(going.map(({ id }) => [id, (outside.get(id) ?? 0) + (inside.get(id) ?? 0)]))
}

type DrainContext = Pick<RemovalContext, 'ctx' | 'server' | 'application'>

/** The old release may have published ports with open connections. */
async function wasPublished({ ctx, application }: DrainContext, going: Instance[]): Promise<boolean> {
  if (application.compose_sealed === null || going.length === 0) return false
  const ids = going.map(({ release_id }) => release_id)
  const releases = await findReleases(ctx.db, application.workspace_id, ids)
  return releases.some((release) => (releasePorts(release) ?? []).length > 0)
}

export const isDrained = (one: Instance, open: OpenConnections, now: Date) =>
  one.state !== 'draining' || (open.get(one.id) ?? 0) === 0 || drainTimedOut(one, now)

export const drainTimedOut = ({ drain_until }: Instance, now: Date) =>
  drain_until !== null && drain_until <= now

async function listStopDeployments({ ctx, application }: RemovalContext): Promise<Set<string | null>> {
  const rows = await ctx.db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('type', '=', 'stop_application')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Keeps the containers of a stopped application, and removes all others. */
export async function removeOrKeepStopped(given: RemovalContext, instances: Instance[]): Promise<void> {
  const stopped =
    given.application.wanted === 'stopped' ? await listStopDeployments(given) : new Set<string | null>()
  const stays = (one: Instance) => one.state === 'draining' && stopped.has(one.drained_by)
  const staying = instances.filter(stays)
  if (staying.length > 0) await stopInstances(given, staying)
  if (staying.length < instances.length)
    await removeInstances(
      given,
      instances.filter((one) => !stays(one)),
    )
}
