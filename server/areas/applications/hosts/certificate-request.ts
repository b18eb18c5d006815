import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { Trx } from '../../../tables.ts'

export const certificateKeySealContext = (id: string) => `certificates.key_sealed:${id}`

/** Call within the transaction of the change. Does nothing if the workspace has or waits for a certificate. */
export async function requestCertificate(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  host: string,
): Promise<void> {
  const row = await trx
    .insertInto('certificates')
    .values({
      id: newId('certificate'),
      workspace_id: workspaceId,
      host,
      kind: 'acme',
      status: 'waiting',
      // Uses the database clock, as jobs do.
      next_try_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'host']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row) await enqueueOrder(ctx, trx, workspaceId, row.id)
}

/** Call within the transaction of the change. Certificate orders verify the domain as well. */
export const requestProof = (
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  { host, https }: { host: string; https: boolean },
) =>
  https
    ? requestCertificate(ctx, trx, workspaceId, host)
    : enqueueHostCheck(ctx, trx, { workspace_id: workspaceId, host })

export const enqueueHostCheck = async (
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  payload: { workspace_id: Id<'workspace'>; host: string },
): Promise<void> => {
  await enqueue(ctx.secrets, trx, {
    kind: 'check-host-name',
    payload,
    key: `host-name:${payload.host}`,
    lane: 'certificates',
    group: toJobGroup(payload.workspace_id),
  })
}

/** A separate lane: slow name servers of one workspace must not delay certificates of others. */
const toJobGroup = (workspaceId: Id<'workspace'>) => ({ name: `certificates:${workspaceId}`, limit: 2 })

/** The row holds the due time; jobs that run at another time do nothing. */
export const enqueueOrder = (
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  id: Id<'certificate'>,
  runAt?: Date,
) =>
  enqueue(ctx.secrets, trx, {
    kind: 'order-certificate',
    payload: { workspace_id: workspaceId, certificate_id: id },
    key: `certificate:${id}`,
    lane: 'certificates',
    group: toJobGroup(workspaceId),
    runAt,
  })
