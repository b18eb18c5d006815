import type { z } from 'zod'
import type { server } from '../../../contract/servers.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { listServerRows, type ServerRow } from './store.ts'

const present = (row: ServerRow): z.input<typeof server> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  address: row.address,
  created_at: row.created_at.toISOString(),
})

export async function listServers(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listServerRows(ctx.db, actor.workspace.id, query)
  return { servers: rows.map(present), page }
}
