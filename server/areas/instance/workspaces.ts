import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { instanceWorkspace } from '../../../contract/instance.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { recordInstanceEvent } from '../../events.ts'
import type { SearchQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import { deleteNamedWorkspace } from '../workspaces/workspace.ts'
import {
  findInstanceWorkspace,
  listAllWorkspaces,
  setWorkspaceLocked,
  type InstanceWorkspaceRow,
} from './store.ts'

const present = (row: InstanceWorkspaceRow): z.input<typeof instanceWorkspace> => ({
  id: row.id,
  name: row.name,
  locked_at: row.locked_at?.toISOString() ?? null,
  owners: row.owners,
  members: row.members,
  servers: row.servers,
  applications: row.applications,
  created_at: row.created_at.toISOString(),
})

export async function listInstanceWorkspaces(ctx: Context, query: SearchQuery) {
  const { rows, page } = await listAllWorkspaces(ctx.db, query)
  return { workspaces: rows.map(present), page }
}

export async function setWorkspaceLock(ctx: Context, person: User, id: Id<'workspace'>, locked: boolean) {
  const row = await transaction(ctx.db, async (trx) => {
    const existing = await findInstanceWorkspace(trx, id)
    if (!existing) throw notFound('This workspace')
    if ((existing.locked_at !== null) === locked) return existing
    const locked_at = locked ? ctx.now() : null
    await setWorkspaceLocked(trx, id, locked_at)
    await recordInstanceEvent(
      trx,
      person,
      locked ? 'workspace.locked' : 'workspace.unlocked',
      targetOf(existing),
    )
    return { ...existing, locked_at }
  })
  return present(row)
}

export const deleteInstanceWorkspace = (ctx: Context, person: User, id: Id<'workspace'>, name: string) =>
  deleteNamedWorkspace(ctx, person, id, name, {
    record: (trx) => recordInstanceEvent(trx, person, 'workspace.deleted', targetOf({ id, name })),
  })

const targetOf = ({ id, name }: { id: Id<'workspace'>; name: string }) => ({ kind: 'workspace', id, name })
