import type { z } from 'zod'
import type { alert } from '../../../contract/alerts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { SearchQuery } from '../../platform/page.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import type { AlertRow } from './observation.ts'
import { quietUntil } from './quiet-hours.ts'
import { loadScopeNames } from './scope.ts'
import {
  countOpenIncidents,
  findAlertRow,
  listAlertRows,
  listAlertChannels,
  lockAlertRow,
  type OpenCounts,
} from './store.ts'

type Presented = z.input<typeof alert>

export async function listAlerts(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listAlertRows(ctx.db, actor.workspace.id, query)
  return { alerts: await presentAlerts(ctx, actor, rows), page }
}

export async function getAlert(ctx: Context, actor: Actor, id: Id<'alert'>): Promise<Presented> {
  const row = await findAlertRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This alert')
  return presentAlert(ctx, actor, row)
}

/** Locks the alert so that concurrent changes wait; responds with 404 when it does not exist. */
export const withLockedAlert = <T>(
  ctx: Context,
  actor: Actor,
  id: Id<'alert'>,
  work: (trx: Trx, row: AlertRow) => Promise<T>,
): Promise<T> =>
  transaction(ctx.db, async (trx) => {
    const row = await lockAlertRow(trx, actor.workspace.id, id)
    if (!row) throw notFound('This alert')
    return work(trx, row)
  })

export const alertTarget = ({ id, name }: Pick<AlertRow, 'id' | 'name'>) => ({ kind: 'alert', id, name })

export async function presentAlert(ctx: Context, actor: Actor, row: AlertRow): Promise<Presented> {
  const [one] = await presentAlerts(ctx, actor, [row])
  if (!one) throw new Error('What was given is not presented.')
  return one
}

/** Runs a fixed number of queries per page, not one per alert. */
async function presentAlerts(ctx: Context, actor: Actor, rows: readonly AlertRow[]): Promise<Presented[]> {
  const { id: workspaceId } = actor.workspace
  const ids = rows.map(({ id }) => id)
  const open = new Map((await countOpenIncidents(ctx.db, workspaceId, ids)).map((one) => [one.alert_id, one]))
  const chosen = await listAlertChannels(ctx.db, workspaceId, ids)
  const scopes = rows.map(({ scope_kind: kind, scope_id: id }) => ({ kind, id }))
  const nameOf = await loadScopeNames(ctx.db, workspaceId, scopes)
  return rows.map((row) => {
    const scope = { kind: row.scope_kind, id: row.scope_id, container: row.scope_container }
    const quiet = quietUntil(row, ctx.now())
    return {
      ...plainOf(row),
      state: stateOf(row, open.get(row.id), quiet),
      firing: open.get(row.id)?.firing ?? 0,
      scope: { ...scope, name: nameOf(scope) },
      channels: row.all_channels
        ? null
        : chosen.flatMap((one) => (one.alert_id === row.id ? one.notification_id : [])),
      quiet_until: quiet?.toISOString() ?? null,
    }
  })
}

const plainOf = (row: AlertRow) => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  enabled: row.enabled,
  severity: row.severity,
  comparison: row.comparison,
  threshold: row.threshold,
  clear_threshold: row.clear_threshold,
  for_seconds: row.for_seconds,
  clear_seconds: row.clear_seconds,
  window_seconds: row.window_seconds,
  cooldown_seconds: row.cooldown_seconds,
  repeat_seconds: row.repeat_seconds,
  check: row.asked,
  muted_until: row.muted_until?.toISOString() ?? null,
  windows: row.windows,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

function stateOf(
  { enabled }: AlertRow,
  open: OpenCounts | undefined,
  quiet: Date | null,
): Presented['state'] {
  if (!enabled) return 'off'
  if (quiet) return 'muted'
  if (open && open.firing > 0) return 'firing'
  return open && open.pending > 0 ? 'pending' : 'ok'
}
