import { z } from 'zod'
import { type AlertKindName, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { type Id, id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { groupBy } from '../../platform/group-by.ts'
import type { AlertRow, ObservedSubject, Subject } from './observer.ts'

/** Milliseconds between complete reads, in case an event was missed. */
const READ_ALL_EVERY = 60_000

const changing = new Set([
  'alert.created',
  'alert.changed',
  'alert.updated',
  'alert.deleted',
  'alert.muted',
  'alert.unmuted',
])

const alertEvent = z.object({ type: z.string(), workspace_id: id('workspace') })

export type RefreshedWorkspaces = 'all' | readonly Id<'workspace'>[]

export function createRules(ctx: Context) {
  const alerts = new Map<Id<'alert'>, AlertRow>()
  let on = new Map<string, AlertRow[]>()
  const changed = new Set<Id<'workspace'>>()
  let readAt = -Infinity

  function onEvent(payload: string) {
    if (!payload.includes('"alert.')) return
    const { type, workspace_id } = alertEvent.parse(JSON.parse(payload))
    if (changing.has(type)) changed.add(workspace_id)
  }
  const off = [ctx.bus.on('events', onEvent), ctx.bus.onReconnect(() => (readAt = -Infinity))]

  async function refresh(at: number): Promise<RefreshedWorkspaces> {
    const all = at - readAt >= READ_ALL_EVERY
    const some = [...changed]
    if (!all && some.length === 0) return []
    changed.clear()
    try {
      const query = ctx.db.selectFrom('alerts').selectAll().orderBy('id')
      const rows = await (all ? query : query.where('workspace_id', 'in', some)).execute()
      for (const [id, { workspace_id }] of alerts) if (all || some.includes(workspace_id)) alerts.delete(id)
      for (const row of rows) alerts.set(row.id, row)
    } catch (error) {
      for (const id of some) changed.add(id)
      throw error
    }
    if (all) readAt = at
    const enabled = [...alerts.values()].filter((alert) => alert.enabled)
    on = groupBy(enabled, ({ workspace_id, kind }) => ruleKey(workspace_id, alertKinds[kind].subject))
    return all ? 'all' : some
  }

  return {
    refresh,
    isEmpty: () => on.size === 0,
    find: (id: Id<'alert'>) => alerts.get(id),
    of: ({ workspace_id, kind }: Pick<Subject, 'workspace_id' | 'kind'>): readonly AlertRow[] =>
      on.get(ruleKey(workspace_id, kind)) ?? [],
    ofKinds: (kinds: readonly AlertKindName[]) =>
      [...on.values()].flat().filter(({ kind }) => kinds.includes(kind)),
    stop() {
      for (const end of off) end()
    },
  }
}

export type Rules = ReturnType<typeof createRules>

const ruleKey = (workspaceId: Id<'workspace'>, kind: Subject['kind']) => `${workspaceId} ${kind}`

type AlertScope = Pick<AlertRow, 'scope_kind' | 'scope_id' | 'scope_container'>

/** A server has the projects it belongs to; any other subject has the project of its application. */
export function isInScope({ scope_kind, scope_id, scope_container }: AlertScope, subject: Subject): boolean {
  if (scope_kind === 'all') return true
  if (scope_id === null) return false
  if (scope_kind === 'project') return subject.projects.some((id) => id === scope_id)
  if (scope_kind === 'application') return subject.application_id === scope_id
  if (subject.server_id !== scope_id) return false
  return scope_kind === 'server' || subject.container === scope_container
}

export const isWatchedBy = (alert: AlertRow, { subject, skipReason }: ObservedSubject): boolean =>
  isInScope(alert, subject) && skipReason?.(alert) === undefined
