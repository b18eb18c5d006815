import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type Actor, holds, limitOf } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import { findChanged } from './changes/changed.ts'
import { driftOf } from './changes/drift.ts'
import { listFacts } from './facts-store.ts'
import { present, presentDetails, withoutValues } from './present.ts'
import { redactorFor } from './redact-for.ts'
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
    // Deleted between the two queries.
    return known ? [{ ...present(ctx, row, known, changed.has(row.id)), id: row.id }] : []
  })
  const redact = await redactorFor(
    ctx,
    actor,
    applications.flatMap(({ id, reason }) => (reason === null ? [] : [id])),
  )
  const masked = applications.map((one) => ({ ...one, reason: one.reason && redact(one.id, one.reason) }))
  return { applications: masked, page }
}

export async function getApplication(ctx: Context, actor: Actor, id: Id<'application'>) {
  const row = await getApplicationRow(ctx, actor, id)
  const details = await detailsOf(ctx, row)
  if (holds(actor, 'applications.manage')) return details
  const { reason, drift, proxy_error } = details
  const hasSentence = reason !== null || proxy_error !== null || drift.length > 0
  const redact = await redactorFor(ctx, actor, hasSentence ? [id] : [])
  return withoutValues(details, (text) => redact(id, text))
}

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
