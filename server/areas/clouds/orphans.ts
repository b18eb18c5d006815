import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { enqueueProvision } from '../servers/creation.ts'
import type { ServerRow } from '../servers/server.ts'
import { enqueueDestroy } from './request-destroy.ts'

type Left = Pick<ServerRow, 'id' | 'workspace_id' | 'status'>

/** Resumes creations, destructions and key removals whose jobs were lost, because they cost money. */
export async function resumeOrphans(ctx: Context): Promise<void> {
  const { rows } = await sql<Left>`
    select s.id, s.workspace_id, s.status from servers s
    join cloud_servers c on c.workspace_id = s.workspace_id and c.server_id = s.id
    where (s.status in ('provisioning', 'deleting') or c.step is null and c.cloud_key_id is not null)
      and not exists (select from jobs j where j.key = 'cloud:' || s.id and j.state in ('queued', 'running'))
  `.execute(ctx.db)
  for (const { id, workspace_id, status } of rows)
    await transaction(ctx.db, (trx) =>
      status === 'deleting'
        ? enqueueDestroy(ctx, trx, { workspace_id, server_id: id })
        : enqueueProvision(ctx, trx, { id, workspace_id }),
    )
}
