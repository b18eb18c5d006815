import type { z } from 'zod'
import type { alert } from '../../../contract/alerts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound } from '../../errors.ts'
import type { SearchQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import { quietUntil } from './maintenance-windows.ts'
import {
  countOpenIncidents,
  findAlertRow,
  listAlertChannels,
  listAlertRows,
  listScopeNames,
  lockAlertRow,
  type OpenCounts,
} from './store.ts'
import type { AlertScope } from '../../../contract/shared/alert-kinds.ts'
import type { AlertRow } from './observer.ts'

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
  const [presented] = await presentAlerts(ctx, actor, [row])
  if (!presented) throw new Error('The alert is missing from the list.')
  return presented
}

async function presentAlerts(ctx: Context, actor: Actor, rows: readonly AlertRow[]): Promise<Presented[]> {
  const { id: workspaceId } = actor.workspace
  const ids = rows.map(({ id }) => id)
  const open = new Map(
    (await countOpenIncidents(ctx.db, workspaceId, ids)).map((counts) => [counts.alert_id, counts]),
  )
  const chosen = await listAlertChannels(ctx.db, workspaceId, ids)
  const scopes = rows.map(({ scope_kind: kind, scope_id: id }) => ({ kind, id }))
  const findScopeName = await loadScopeNames(ctx.db, workspaceId, scopes)
  return rows.map((row) => {
    const { scope_kind, scope_id, scope_container, http_check, ...fields } = row
    const scope = { kind: scope_kind, id: scope_id, container: scope_container }
    const quiet = quietUntil(row, ctx.now())
    return {
      ...fields,
      check: http_check,
      muted_until: row.muted_until?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      state: alertState(row, open.get(row.id), quiet),
      firing: open.get(row.id)?.firing ?? 0,
      scope: { ...scope, name: findScopeName(scope) },
      channels: row.all_channels
        ? null
        : chosen.flatMap(({ alert_id, notification_id }) => (alert_id === row.id ? notification_id : [])),
      quiet_until: quiet?.toISOString() ?? null,
    }
  })
}

function alertState(
  { enabled }: AlertRow,
  open: OpenCounts | undefined,
  quiet: Date | null,
): Presented['state'] {
  if (!enabled) return 'off'
  if (quiet) return 'muted'
  if (open && open.firing > 0) return 'firing'
  return open && open.pending > 0 ? 'pending' : 'ok'
}

interface ScopeRef {
  kind: AlertScope
  id: string | null
}

/** A container has no stable ID, so its scope refers to its server. */
const namedBy = { server: 'server', container: 'server', project: 'project', application: 'application' }

export async function assertScopeExists(
  db: Db,
  workspaceId: Id<'workspace'>,
  { kind, id }: ScopeRef,
): Promise<void> {
  if (kind === 'all' || id === null) return
  const names = await listScopeNames(db, workspaceId, [id])
  if (!names.has(`${namedBy[kind]} ${id}`))
    throw new Invalid({ 'scope.id': [`This ${namedBy[kind]} does not exist in this workspace.`] })
}

async function loadScopeNames(
  db: Db,
  workspaceId: Id<'workspace'>,
  scopes: readonly ScopeRef[],
): Promise<(scope: ScopeRef) => string | null> {
  const ids = scopes.flatMap(({ id }) => id ?? [])
  const names = ids.length > 0 ? await listScopeNames(db, workspaceId, ids) : new Map<string, string>()
  return ({ kind, id }) => (kind === 'all' ? null : (names.get(`${namedBy[kind]} ${id}`) ?? null))
}
