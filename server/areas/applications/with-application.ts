import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { lockApplication } from './application.ts'
import type { ApplicationRow } from './store.ts'

/** Runs `work` with the locked application; 404 if it is missing or being deleted. */
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
