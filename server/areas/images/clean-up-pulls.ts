import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { findServer } from '../servers/server.ts'
import { emitPullFailed } from './pull-image.ts'
import { type PullRow, updatePull } from './store.ts'

const reason =
  'The pull was interrupted: every Slipway process that worked on it stopped. Check the Slipway log, then retry. Finished layers are not downloaded again.'

/** Fails pulls without a job, which would otherwise stay in progress forever. */
export async function failOrphanedPulls(ctx: Context): Promise<void> {
  const { rows } = await sql<Pick<PullRow, 'id' | 'workspace_id' | 'server_id'>>`
    select id, workspace_id, server_id from pulls p
    where status in ('queued', 'running')
      and not exists (select from jobs j where j.key = 'pull:' || p.id and j.state in ('queued', 'running'))
  `.execute(ctx.db)
  for (const { id, workspace_id: workspaceId, server_id: serverId } of rows) {
    const server = await findServer(ctx, workspaceId, serverId)
    await transaction(ctx.db, async (trx) => {
      const changes = { status: 'failed', error: reason, finished_at: new Date() } as const
      const pull = await updatePull(trx, workspaceId, id, changes)
      if (!pull || !server) return
      await emitPullFailed(trx, pull, server, reason)
      await nudge(trx, workspaceId, 'pull.changed', serverId)
    })
  }
}

const keptDays = 7

export const deleteOldPulls = ({ db }: Context) =>
  sql`delete from pulls where finished_at < now() - make_interval(days => ${keptDays})`.execute(db)
