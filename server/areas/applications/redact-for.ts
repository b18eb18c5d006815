import type { Context } from '../../context.ts'
import { type Actor, holds } from '../../route.ts'
import { configuredOf } from './changed.ts'
import { readConfigured } from './config.ts'
import { findReleases } from './release.ts'
import { redactorOf } from './sensitive-values.ts'
import { listAllApplications } from './store.ts'

/** What replaces values of any application of the workspace in a sentence; nothing is replaced for who may read them. */
export async function redactorForActor(ctx: Context, actor: Actor): Promise<(text: string) => string> {
  const { id: workspaceId } = actor.workspace
  if (holds(actor, 'applications.manage')) return (text) => text
  const rows = await listAllApplications(ctx.db, workspaceId)
  const live = await findReleases(
    ctx.db,
    workspaceId,
    rows.flatMap(({ release_id }) => release_id ?? []),
  )
  const configured = await Promise.all(rows.map((row) => readConfigured(ctx, ctx.db, row)))
  return redactorOf(...configured, ...live.map((release) => configuredOf(ctx, release)))
}
