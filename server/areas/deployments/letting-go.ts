import type { Context } from '../../context.ts'
import type { ApplicationRow } from '../applications/application.ts'
import type { Instance } from '../applications/instance.ts'
import { countSessions } from '../proxies/sessions.ts'
import type { ServerRow } from '../servers/server.ts'
import { retireInstances, type Retiring, stopInstances } from './retire.ts'
import { isRouted } from './routed.ts'

/** How many requests are open on each. */
export type Open = ReadonlyMap<Instance['id'], number>

export const countOpen = async (
  ctx: Context,
  server: ServerRow,
  application: ApplicationRow,
): Promise<Open> => ((await isRouted(ctx.db, application)) ? countSessions(ctx, server) : new Map())

/** Nothing is open on it any more, or its time for that is over. */
export const isThrough = (one: Instance, open: Open, now: Date) =>
  one.state !== 'draining' ||
  (open.get(one.id) ?? 0) === 0 ||
  (one.drain_until !== null && one.drain_until <= now)

/** Of an application that is stopped, those that served stay as they are; all others go. */
export async function letGo(given: Retiring, instances: Instance[]): Promise<void> {
  const { wanted, release_id } = given.application
  const stays = (one: Instance) =>
    wanted === 'stopped' && one.state === 'draining' && one.release_id === release_id
  const staying = instances.filter(stays)
  if (staying.length > 0) await stopInstances(given, staying)
  if (staying.length < instances.length)
    await retireInstances(
      given,
      instances.filter((one) => !stays(one)),
    )
}
