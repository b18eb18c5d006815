import { instanceEvents } from '../../../contract/shared/instance-events.ts'
import { toAuditEntry } from '../../audit-entry.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/page.ts'
import { listInstanceEvents } from './store.ts'

export async function listInstanceAudit(ctx: Context, query: SearchQuery) {
  const { rows, page } = await listInstanceEvents(ctx.db, query)
  return { entries: rows.map((row) => toAuditEntry(row, instanceEvents[row.type])), page }
}
