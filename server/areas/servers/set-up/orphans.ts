import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/transaction.ts'
import { markServerFailed } from './server-status.ts'
import { type SetupRow, updateSetup } from './store.ts'

const reason =
  'Slipway exited during each attempt of this setup. See the Slipway log, then set up again; completed steps are not repeated.'

/** Fails setups that no worker has a job for. */
export async function failOrphanedSetups(ctx: Context): Promise<void> {
  const { rows } = await sql<Pick<SetupRow, 'id' | 'workspace_id'>>`
    select id, workspace_id from setups s
    where status in ('queued', 'running')
      and not exists (select from jobs j where j.key = 'set-up:' || s.server_id and j.state in ('queued', 'running'))
  `.execute(ctx.db)
  for (const { id, workspace_id: workspaceId } of rows)
    await transaction(ctx.db, async (trx) => {
      const changes = { status: 'failed', error: reason, finished_at: new Date() } as const
      const setup = await updateSetup(trx, workspaceId, id, changes)
      if (setup) await markServerFailed(trx, setup, reason)
    })
}
