import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type Actor, hasPermission, getTokenLimit } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import { findChangedApplications } from './changes/find-changes.ts'
import { describeDrift } from './changes/drift.ts'
import { listApplicationFacts } from './facts-store.ts'
import { presentApplication, presentApplicationDetails, withoutSecretValues } from './present-application.ts'
import { createActorRedactor } from './redact-for.ts'
import { findSource } from './source.ts'
import { type ApplicationQuery, type ApplicationRow, listApplicationRows } from './store.ts'

export async function listApplications(ctx: Context, actor: Actor, query: ApplicationQuery) {
  const workspaceId = actor.workspace.id
  const { rows, page } = await listApplicationRows(ctx.db, workspaceId, query, getTokenLimit(actor))
  const ids = rows.map(({ id }) => id)
  const facts = new Map((await listApplicationFacts(ctx.db, workspaceId, ids)).map((one) => [one.id, one]))
  const changed = await findChangedApplications(ctx, workspaceId, rows)
  const applications = rows.flatMap((row) => {
    const known = facts.get(row.id)
    // Deleted between the two queries.
    return known ? [{ ...presentApplication(ctx, row, known, changed.has(row.id)), id: row.id }] : []
  })
  const redact = await createActorRedactor(
    ctx,
    actor,
    applications.flatMap(({ id, reason }) => (reason === null ? [] : [id])),
  )
  const masked = applications.map((one) => ({ ...one, reason: one.reason && redact(one.id, one.reason) }))
  return { applications: masked, page }
}

export async function getApplication(ctx: Context, actor: Actor, id: Id<'application'>) {
  const row = await getApplicationRow(ctx, actor, id)
  const details = await toApplicationDetails(ctx, row)
  if (hasPermission(actor, 'applications.manage')) return details
  const { reason, drift, proxy_error } = details
  const hasSentence = reason !== null || proxy_error !== null || drift.length > 0
  const redact = await createActorRedactor(ctx, actor, hasSentence ? [id] : [])
  return withoutSecretValues(details, (text) => redact(id, text))
}

export async function toApplicationDetails(ctx: Context, row: ApplicationRow) {
  const { workspace_id: workspaceId, id } = row
  const [[facts], changed, drift, source] = await Promise.all([
    listApplicationFacts(ctx.db, workspaceId, [id]),
    findChangedApplications(ctx, workspaceId, [row]),
    describeDrift(ctx, row),
    findSource(ctx.db, workspaceId, id),
  ])
  if (!facts) throw notFound('This application')
  return presentApplicationDetails(ctx, row, facts, { changed: changed.has(id), drift, source })
}
