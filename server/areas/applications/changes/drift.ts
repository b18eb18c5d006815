import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import { lookAtContainers } from './drift-inside.ts'
import { type Made, type SeenAndMade, withMade } from './made-of.ts'
import { wasStopped } from './restart.ts'
import { listStrangers, type Seen, seeContainers } from './seen.ts'
import type { ApplicationRow } from '../store.ts'

/** What somebody changed by hand on the server, as sentences. Nothing while nobody can look. */
export async function driftOf(ctx: Context, application: ApplicationRow): Promise<string[]> {
  const { workspace_id } = application
  const seen = await seeContainers(ctx.db, workspace_id, application)
  // A deployment changes them itself, and puts right what was changed.
  if (!seen || (await isDeployed(ctx.db, application))) return []
  const strangers = await listStrangers(ctx.db, workspace_id, application)
  const known = withMade(ctx, application, seen)
  return [
    ...known.flatMap(plainDrift),
    ...(await lookAtContainers(ctx, application, known)),
    ...strangers.map(
      ({ name }) =>
        `The container ${name} is marked as one of this application, but Slipway did not make it.`,
    ),
  ]
}

const isDeployed = async (db: Db, { workspace_id, id }: ApplicationRow) =>
  (await db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('application_id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()) !== undefined

/** As far as it is known without asking Docker. */
function plainDrift({ instance, made, container }: SeenAndMade): string[] {
  const { name } = made
  const { state } = instance
  if (state !== 'serving' && state !== 'stopped') return []
  if (!container) return [`The container ${name} was removed by hand.`]
  const renamed =
    container.name === name ? [] : [`The container ${name} was renamed to ${container.name} by hand.`]
  const done = state === 'serving' ? doneTo(container, made) : startedAnyway(container)
  return [...(done ? [`The container ${name} ${done}`] : []), ...renamed]
}

function doneTo(
  { state, exit_code: code }: NonNullable<Seen['container']>,
  { restart, completes }: Made,
): string | undefined {
  if (state === 'paused') return 'was paused by hand.'
  const isOver = state === 'exited' || state === 'dead'
  if (completes && code === 0) return undefined
  return isOver && wasStopped(restart, code) ? 'was stopped by hand.' : undefined
}

const startedAnyway = ({ state }: NonNullable<Seen['container']>) =>
  ['running', 'restarting', 'paused'].includes(state)
    ? 'was started by hand, although the application is stopped.'
    : undefined
