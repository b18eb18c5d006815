import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { type ApplicationRow, findApplicationRow, lockApplicationRow, updateApplicationRow } from './store.ts'

export type { ApplicationRow }

export const applicationTarget = ({ id, name }: Pick<ApplicationRow, 'id' | 'name'>) => ({
  kind: 'application',
  id,
  name,
})

/** Throws 404 for applications that are missing or being deleted. */
export async function getApplicationRow(
  ctx: Pick<Context, 'db'>,
  actor: Pick<Actor, 'workspace'>,
  id: Id<'application'>,
): Promise<ApplicationRow> {
  const row = await findApplicationRow(ctx.db, actor.workspace.id, id)
  if (!row || row.deleting_at) throw notFound('This application')
  return row
}

/** For background work; also finds applications that are being deleted. */
export const findApplication = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  findApplicationRow(db, workspaceId, id)

/** Locks the row until the transaction ends. */
export const lockApplication = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  lockApplicationRow(db, workspaceId, id)

export const changeApplication = updateApplicationRow
