import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { changesBetween } from './changes.ts'
import { type Configured, readConfigured } from './config.ts'
import { configOf } from './frozen-config.ts'
import { listMoves } from './network-changes.ts'
import { composeOf, environmentOf, findRelease, type Release } from './release.ts'
import type { ApplicationRow } from './store.ts'

interface Known {
  revision: number
  release: Id<'release'>
  changed: boolean
}

/** What was found out once is true until one of the two changes; the oldest go when there are too many. */
const known = new Map<Id<'application'>, Known>()
const most = 10_000

/** Which of them are configured otherwise than what runs; one that was never deployed is not. */
export async function findChanged(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applications: ApplicationRow[],
): Promise<Set<Id<'application'>>> {
  const all = await Promise.all(
    applications.map(async (one) => ((await isChanged(ctx, workspaceId, one)) ? [one.id] : [])),
  )
  const ids = applications.map(({ id }) => id)
  // Not kept with the rest: containers are moved to other networks by what is no change of the configuration, too.
  const moving = await listMoves(ctx.db, workspaceId, ids)
  return new Set([...all.flat(), ...moving.map(({ id }) => id)])
}

async function isChanged(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  application: ApplicationRow,
): Promise<boolean> {
  const { id, revision, release_id: release } = application
  if (release === null) return false
  const found = known.get(id)
  if (found?.revision === revision && found.release === release) return found.changed
  const row = await findRelease(ctx.db, workspaceId, release)
  const changed =
    row !== undefined &&
    changesBetween(configuredOf(ctx, row), await readConfigured(ctx, ctx.db, application)).length > 0
  known.delete(id)
  known.set(id, { revision, release, changed })
  for (const oldest of known.keys()) if (known.size > most) known.delete(oldest)
  return changed
}

/** What the containers of a release are made of. */
export const configuredOf = (ctx: Pick<Context, 'secrets'>, release: Release): Configured => ({
  config: configOf(ctx, 'releases', release),
  env: environmentOf(ctx, release),
  compose: composeOf(ctx, release) ?? null,
})
