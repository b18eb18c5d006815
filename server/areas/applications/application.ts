import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import { type ApplicationRow, findApplicationRow, lockApplicationRow, updateApplicationRow } from './store.ts'
import type { EventType } from '../../../contract/shared/events.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'

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

export const lockApplication = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  lockApplicationRow(db, workspaceId, id)

export const changeApplication = updateApplicationRow

const longest = 200

/** Emits the change event within the transaction. Details are names, never values. */
export async function emitApplicationChange(
  trx: Trx,
  actor: Actor,
  application: Pick<ApplicationRow, 'id' | 'name' | 'workspace_id'>,
  type: EventType & `application.${string}`,
  names: readonly string[] = [],
): Promise<void> {
  await emit(
    trx,
    actor,
    application.workspace_id,
    type,
    applicationTarget(application),
    summarizeNames(names),
  )
}

export function summarizeNames(names: readonly string[]): string | undefined {
  const detail = names.join(', ')
  return (detail.length > longest ? `${detail.slice(0, longest)}…` : detail) || undefined
}

export const withLockedApplication = <T>(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  work: (trx: Trx, application: ApplicationRow) => Promise<T>,
): Promise<T> =>
  transaction(ctx.db, async (trx) => {
    const application = await lockApplication(trx, actor.workspace.id, id)
    if (!application || application.deleting_at) throw notFound('This application')
    return work(trx, application)
  })
