import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type Actor, limitOf } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import { findChanged } from './changed.ts'
import { driftOf } from './drift.ts'
import { listFacts } from './facts-store.ts'
import { present, presentDetails } from './present.ts'
import { findSource } from './source.ts'
import { type ApplicationQuery, type ApplicationRow, listApplicationRows } from './store.ts'

export async function listApplications(ctx: Context, actor: Actor, query: ApplicationQuery) {
  const workspaceId = actor.workspace.id
  const { rows, page } = await listApplicationRows(ctx.db, workspaceId, query, limitOf(actor))
  const ids = rows.map(({ id }) => id)
  const facts = new Map((await listFacts(ctx.db, workspaceId, ids)).map((one) => [one.id, one]))
  const changed = await findChanged(ctx, workspaceId, rows)
  const applications = rows.flatMap((row) => {
    const known = facts.get(row.id)
    // Deleted in the very moment between the two.
    return known ? [present(ctx, row, known, changed.has(row.id))] : []
  })
  return { applications, page }
}

export const getApplication = async (ctx: Context, actor: Actor, id: Id<'application'>) =>
  detailsOf(ctx, await getApplicationRow(ctx, actor, id))

/** All that is known of one. */
export async function detailsOf(ctx: Context, row: ApplicationRow) {
  const { workspace_id: workspaceId, id } = row
  const [[facts], changed, drift, source] = await Promise.all([
    listFacts(ctx.db, workspaceId, [id]),
    findChanged(ctx, workspaceId, [row]),
    driftOf(ctx, row),
    findSource(ctx.db, workspaceId, id),
  ])
  if (!facts) throw notFound('This application')
  return presentDetails(ctx, row, facts, { changed: changed.has(id), drift, source })
}
