import type { z } from 'zod'
import type { application } from '../../../contract/applications.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { listApplicationRows, type ApplicationRow } from './store.ts'

const present = (row: ApplicationRow): z.input<typeof application> => ({
  id: row.id,
  name: row.name,
  source: { type: row.source_type },
  created_at: row.created_at.toISOString(),
})

export async function listApplications(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listApplicationRows(ctx.db, actor.workspace.id, query)
  return { applications: rows.map(present), page }
}
