import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { auditEntry } from '../../../contract/audit.ts'
import { events } from '../../../contract/events.ts'
import type { Context } from '../../context.ts'
import type { PageQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import type { Tables } from '../../tables.ts'
import { listEvents } from './store.ts'

const present = (row: Selectable<Tables['events']>): z.input<typeof auditEntry> => ({
  id: row.id,
  type: row.type,
  says: events[row.type],
  actor: { id: row.actor_id, name: row.actor_name, via: row.via },
  target:
    row.target_kind && row.target_id
      ? { kind: row.target_kind, id: row.target_id, name: row.target_name ?? '' }
      : null,
  address: row.address,
  created_at: row.created_at.toISOString(),
})

type Query = PageQuery & { q?: string | undefined }

export async function listAudit(ctx: Context, actor: Actor, query: Query) {
  const { rows, page } = await listEvents(ctx.db, actor.workspace.id, query)
  return { entries: rows.map(present), page }
}

const mostExported = 100_000

export async function exportAudit(ctx: Context, actor: Actor): Promise<string> {
  const { rows } = await listEvents(ctx.db, actor.workspace.id, { limit: mostExported })
  const lines = rows.map((row) => [
    row.created_at.toISOString(),
    row.actor_name,
    row.via,
    row.type,
    row.target_kind ?? '',
    row.target_id ?? '',
    row.target_name ?? '',
    row.address ?? '',
  ])
  const head = ['time', 'actor', 'via', 'type', 'target_kind', 'target_id', 'target_name', 'address']
  return [head, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

/** Quoted, and with nothing that a spreadsheet would take for a formula. */
const cell = (value: string) =>
  `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
