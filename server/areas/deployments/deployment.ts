import type { z } from 'zod'
import type { deployment } from '../../../contract/deployments.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { type DeploymentQuery, listDeploymentRows, type DeploymentRow } from './store.ts'

const present = (row: DeploymentRow): z.input<typeof deployment> => ({
  id: row.id,
  type: row.type,
  status: row.status,
  message: row.message,
  data: { tag: row.tag, logs: [] },
  errors: row.errors,
  actor: { name: row.actor_name },
  target: { id: row.application_id, name: row.application_name },
  created_at: row.created_at.toISOString(),
})

export async function listDeployments(ctx: Context, actor: Actor, query: DeploymentQuery) {
  const { rows, page } = await listDeploymentRows(ctx.db, actor.workspace.id, query)
  return { deployments: rows.map(present), page }
}
