import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { auditEntry } from '../../../contract/audit.ts'
import { instanceEvents } from '../../../contract/instance-events.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/page.ts'
import type { Tables } from '../../tables.ts'
import { listInstanceEvents } from './store.ts'

export async function listInstanceAudit(ctx: Context, query: SearchQuery) {
  const { rows, page } = await listInstanceEvents(ctx.db, query)
  return { entries: rows.map(present), page }
}

const present = (row: Selectable<Tables['instance_events']>): z.input<typeof auditEntry> => ({
  id: row.id,
  type: row.type,
  says: instanceEvents[row.type],
  actor: { id: row.actor_id, name: row.actor_name, via: row.via },
  target:
    row.target_kind && row.target_id
      ? { kind: row.target_kind, id: row.target_id, name: row.target_name ?? '' }
      : null,
  detail: row.detail,
  address: row.address,
  created_at: row.created_at.toISOString(),
})
