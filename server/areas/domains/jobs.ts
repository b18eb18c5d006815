import { sql } from 'kysely'
import { z } from 'zod'
import { id, type Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { releaseUnusedHosts } from '../applications/host-names.ts'
import { enqueueOrder } from '../applications/certificate-request.ts'
import { removeExpiredChallenges } from './challenges.ts'
import { orderCertificate } from './order-certificate.ts'
import { forgetPauses } from './patience.ts'

const payload = z.object({ workspace_id: id('workspace'), certificate_id: id('certificate') })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof payload>('order-certificate', payload, (ctx, given, run) =>
    orderCertificate(ctx, given.workspace_id, given.certificate_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-certificates', nothing, tidy),
]

export const schedules = [
  {
    name: 'tidy-certificates',
    everySeconds: 600,
    job: { kind: 'tidy-certificates', payload: {}, lane: 'poll' as const },
  },
]

/** Whatever was left over, and certificates that are due and whose job was given up. */
async function tidy(ctx: Context): Promise<void> {
  await forgetPauses(ctx.db)
  await removeExpiredChallenges(ctx)
  await releaseUnusedHosts(ctx)
  await transaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: Id<'certificate'>; workspace_id: Id<'workspace'> }>`
      select id, workspace_id from certificates c where next_try_at < now() and not exists (
        select from jobs where key = 'certificate:' || c.id and state in ('queued', 'running') and run_at <= now())
      `.execute(trx)
    for (const row of rows) await enqueueOrder(ctx, trx, row.workspace_id, row.id)
  })
}
