import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { auditEntry } from '../../../contract/audit.ts'
import { events } from '../../../contract/events.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import type { Tables } from '../../tables.ts'
import { listEvents, listEventsSince } from './store.ts'

const present = (row: Selectable<Tables['events']>): z.input<typeof auditEntry> => ({
  id: row.id,
  type: row.type,
  says: events[row.type],
  actor: { id: row.actor_id, name: row.actor_name, via: row.via },
  target:
    row.target_kind && row.target_id
      ? { kind: row.target_kind, id: row.target_id, name: row.target_name ?? '' }
      : null,
  detail: row.detail,
  address: row.address,
  created_at: row.created_at.toISOString(),
})

export async function listAudit(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listEvents(ctx.db, actor.workspace.id, query)
  return { entries: rows.map(present), page }
}

const columns = [
  'time',
  'actor',
  'via',
  'type',
  'target_kind',
  'target_id',
  'target_name',
  'detail',
  'address',
]

/** All of it, a page at a time, so that a long one needs no memory. */
export async function* exportAudit(ctx: Context, actor: Actor): AsyncGenerator<string> {
  yield line(columns)
  let cursor: string | undefined
  do {
    const { rows, page } = await listEvents(ctx.db, actor.workspace.id, { cursor, limit: 1_000 })
    for (const row of rows)
      yield line([
        row.created_at.toISOString(),
        row.actor_name,
        row.via,
        row.type,
        row.target_kind,
        row.target_id,
        row.target_name,
        row.detail,
        row.address,
      ])
    cursor = page.next ?? undefined
  } while (cursor)
}

const line = (values: (string | null)[]) => `${values.map((value) => cell(value ?? '')).join(',')}\r\n`

/** Quoted, and with nothing that a spreadsheet would take for a formula. */
const cell = (value: string) =>
  `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

/** What came after an event; nothing when it is not known, or when there is more than that. */
export async function listSince(ctx: Context, actor: Actor, id: string, most: number) {
  const rows = await listEventsSince(ctx.db, actor.workspace.id, id, most + 1)
  return rows && rows.length <= most ? rows.filter((row) => row.id !== id) : undefined
}
