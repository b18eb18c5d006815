import type { z } from 'zod'
import type { project } from '../../../contract/projects.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { listProjectRows, type ProjectRow } from './store.ts'

const present = (row: ProjectRow): z.input<typeof project> => ({
  id: row.id,
  name: row.name,
  created_at: row.created_at.toISOString(),
})

export async function listProjects(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listProjectRows(ctx.db, actor.workspace.id, query)
  return { projects: rows.map(present), page }
}
