import type { Instance } from '../../applications/instance.ts'
import { findReleases } from '../../applications/release.ts'
import { countSessions } from '../../proxies/sessions.ts'
import { countInside } from './count-inside.ts'
import { portsIn } from '../containers/publish.ts'
import { retireInstances, type Retiring, stopInstances } from './retire.ts'
import { isRouted } from '../containers/routed.ts'

/** How many requests are open on each. */
export type Open = ReadonlyMap<Instance['id'], number>

export const countOpen = async (of: Of, going: Instance[]): Promise<Open> =>
  (await isRouted(of.ctx.db, of.application)) || (await wasPublished(of, going))
    ? countSessions(of.ctx, of.server)
    : new Map()

/** Those of other services as well, of those that are about to end. */
export async function countAllOpen(of: Of, going: Instance[]): Promise<Open> {
  const [outside, inside] = await Promise.all([countOpen(of, going), countInside(of, going)])
  return new Map(going.map(({ id }) => [id, (outside.get(id) ?? 0) + (inside.get(id) ?? 0)]))
}

type Of = Pick<Retiring, 'ctx' | 'server' | 'application'>

/** Ports go with the release that named them; what came in through them may still be open. */
async function wasPublished({ ctx, application }: Of, going: Instance[]): Promise<boolean> {
  if (application.compose_sealed === null || going.length === 0) return false
  const ids = going.map(({ release_id }) => release_id)
  const releases = await findReleases(ctx.db, application.workspace_id, ids)
  return releases.some((release) => (portsIn(release) ?? []).length > 0)
}

/** Nothing is open on it any more, or its time for that is over. */
export const isThrough = (one: Instance, open: Open, now: Date) =>
  one.state !== 'draining' || (open.get(one.id) ?? 0) === 0 || isOver(one, now)

export const isOver = ({ drain_until }: Instance, now: Date) => drain_until !== null && drain_until <= now

/** The deployments that stopped it. */
async function listStops({ ctx, application }: Retiring): Promise<Set<string | null>> {
  const rows = await ctx.db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('type', '=', 'stop_application')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Of an application that is stopped, those that served stay as they are; all others go. */
export async function letGo(given: Retiring, instances: Instance[]): Promise<void> {
  const stopped = given.application.wanted === 'stopped' ? await listStops(given) : new Set<string | null>()
  const stays = (one: Instance) => one.state === 'draining' && stopped.has(one.drained_by)
  const staying = instances.filter(stays)
  if (staying.length > 0) await stopInstances(given, staying)
  if (staying.length < instances.length)
    await retireInstances(
      given,
      instances.filter((one) => !stays(one)),
    )
}
