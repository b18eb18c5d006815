import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import { configuredOf } from './changed.ts'
import { type Change, changesBetween } from './changes.ts'
import { readConfigured } from './config.ts'
import { findRelease } from './release.ts'

/** How what is configured differs from what runs, or from a release; before the first deployment there is nothing to compare. */
export async function listChanges(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  given: Id<'release'> | undefined,
): Promise<Change[]> {
  const application = await getApplicationRow(ctx, actor, id)
  const wanted = given ?? application.release_id
  if (wanted === null) return []
  const release = await findRelease(ctx.db, actor.workspace.id, wanted)
  if (release?.application_id !== id) throw notFound('This release')
  return changesBetween(configuredOf(ctx, release), await readConfigured(ctx, ctx.db, application))
}
