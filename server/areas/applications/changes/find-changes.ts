import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { onWorkerThread } from '../../../platform/worker-thread.ts'
import { type Change, changesBetween } from './changes.ts'
import { type ApplicationConfig, readApplicationConfig } from '../config.ts'
import { openFrozenConfig } from './frozen-config.ts'
import { listMoves } from './network-changes.ts'
import { openReleaseCompose, openReleaseEnvironment, findRelease, type Release } from '../release.ts'
import type { ApplicationRow } from '../store.ts'

const compareOffLoop = onWorkerThread(
  new URL('./changes.js', import.meta.url),
  'changesBetween',
  changesBetween,
)

/** Runs `changesBetween` in a worker thread, since parsing compose files blocks the event loop. */
export const findChanges = async (
  workspaceId: Id<'workspace'>,
  from: ApplicationConfig,
  to: ApplicationConfig,
): Promise<Change[]> =>
  from.compose?.text === to.compose?.text
    ? changesBetween(from, to)
    : compareOffLoop(`reads of ${workspaceId}`, from, to)

/** Returns the applications whose configuration differs from the live release. */
export async function findChangedApplications(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applications: ApplicationRow[],
): Promise<Set<Id<'application'>>> {
  const all: Id<'application'>[] = []
  // Sequential: the number of queued worker tasks per workspace is limited.
  for (const one of applications) if (await isChanged(ctx, workspaceId, one)) all.push(one.id)
  const ids = applications.map(({ id }) => id)
  // Not cached: containers also change networks without a configuration change.
  const moving = await listMoves(ctx.db, workspaceId, ids)
  return new Set([...all, ...moving.map(({ id }) => id)])
}

async function isChanged(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  application: ApplicationRow,
): Promise<boolean> {
  const { id, revision, release_id: release } = application
  if (release === null) return false
  const compare = async () => {
    const row = await findRelease(ctx.db, workspaceId, release)
    if (!row) return false
    const now = await readApplicationConfig(ctx, ctx.db, application)
    return (await findChanges(workspaceId, openReleaseConfiguration(ctx, row), now)).length > 0
  }
  return (await ctx.configurationChanges.get(`${id} ${revision} ${release}`, compare, () => false)).value
}

export function openReleaseConfiguration(ctx: Pick<Context, 'secrets'>, release: Release): ApplicationConfig {
  const { text, profiles } = openReleaseCompose(ctx, release) ?? {}
  return {
    config: openFrozenConfig(ctx, 'releases', release),
    env: openReleaseEnvironment(ctx, release),
    compose: text === undefined ? null : { text, profiles: profiles ?? [] },
  }
}
