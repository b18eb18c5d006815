import { sql } from 'kysely'
import { z } from 'zod'
import { id, type Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { enqueueHostCheck, enqueueOrder } from '../applications/hosts/certificate-request.ts'
import { releaseUnusedHosts } from '../applications/hosts/release-host.ts'
import { type ClaimedHost, removeExpiredChallenges } from './challenges.ts'
import { checkHostName } from './check-host-name.ts'
import { orderCertificate } from './order-certificate.ts'
import { deleteExpiredPauses } from './acme-rate-limit.ts'

const payload = z.object({ workspace_id: id('workspace'), certificate_id: id('certificate') })
const claimed = z.object({ workspace_id: id('workspace'), host: z.string() })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof payload>('order-certificate', payload, (ctx, given, run) =>
    orderCertificate(ctx, given.workspace_id, given.certificate_id, run),
  ),
  defineJob<Context, typeof claimed>('check-host-name', claimed, checkHostName),
  defineJob<Context, typeof nothing>('tidy-certificates', nothing, tidy),
]

export const schedules = [
  {
    name: 'tidy-certificates',
    everySeconds: 600,
    job: { kind: 'tidy-certificates', payload: {}, lane: 'poll' as const },
  },
]

/** Removes leftovers, and enqueues due orders and checks whose job was lost. */
async function tidy(ctx: Context): Promise<void> {
  await deleteExpiredPauses(ctx.db)
  await removeExpiredChallenges(ctx)
  await releaseUnusedHosts(ctx)
  await transaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: Id<'certificate'>; workspace_id: Id<'workspace'> }>`
      select id, workspace_id from certificates c where next_try_at < now() and not exists (
        select from jobs where key = 'certificate:' || c.id and state in ('queued', 'running') and run_at <= now())
      `.execute(trx)
    for (const row of rows) await enqueueOrder(ctx, trx, row.workspace_id, row.id)
    const { rows: unchecked } = await sql<ClaimedHost>`
      select workspace_id, host from host_names n
      where coalesce(checked_at, created_at) < now() - case when verified_at is null then interval '1 hour' else interval '1 day' end
        and not exists (select from jobs where key = 'host-name:' || n.host and state in ('queued', 'running'))
      order by coalesce(checked_at, created_at) limit 500`.execute(trx)
    for (const row of unchecked) await enqueueHostCheck(ctx, trx, row)
  })
}
