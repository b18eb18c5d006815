import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import { enqueueOrder } from '../applications/hosts/certificate-request.ts'
import type { CertificatePair } from './certificate-pair.ts'

/** Certificate renewal starts when a third of the lifetime is left. */
export const renewAt = ({ from, until }: Pick<CertificatePair, 'from' | 'until'>): Date =>
  new Date(until.getTime() - (until.getTime() - from.getTime()) / 3)

/** Also enqueues renewals, and orders whose job was lost. */
export async function enqueueDueOrders(ctx: Context, trx: Trx): Promise<void> {
  const { rows } = await sql<{ id: Id<'certificate'>; workspace_id: Id<'workspace'> }>`
    select id, workspace_id from certificates c where next_try_at < now() and not exists (
      select from jobs where key = 'certificate:' || c.id and state in ('queued', 'running') and run_at <= now())
    `.execute(trx)
  for (const row of rows) await enqueueOrder(ctx, trx, row.workspace_id, row.id)
}
