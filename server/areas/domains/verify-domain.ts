import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { getApplicationRow, withLockedApplication } from '../applications/application.ts'
import { enqueueOrder, requestCertificate } from '../applications/hosts/certificate-request.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { claimHost, type DomainRef, getApplicationServer, getDomainRow, presentDomain } from './domain.ts'
import { verifyHostName, saveEvidence } from './verify-host-name.ts'
import { type DomainRow, listCertificates, updateCertificate } from './store.ts'
import { sql } from 'kysely'
import { takeOverUnproven } from './add-domain.ts'

export async function verifyDomain(ctx: Context, actor: Actor, { id, domain_id }: DomainRef) {
  const application = await getApplicationRow(ctx, actor, id)
  const { host } = await getDomainRow(ctx.db, application, domain_id)
  const claimed = { workspace_id: application.workspace_id, host }
  await takeOverUnproven(ctx, actor, id, host)
  const evidence = await verifyHostName(ctx, claimed, [await getApplicationServer(ctx, ctx.db, application)])
  return withLockedApplication(ctx, actor, id, async (trx) => {
    const row = await getDomainRow(trx, application, domain_id)
    await claimHost(ctx, trx, application, row.host)
    if (row.host === host) await saveEvidence(trx, claimed, evidence)
    await requestProxySync(ctx, trx, application)
    if (row.https) await requestCertificate(ctx, trx, claimed.workspace_id, row.host)
    if (evidence.proof) await orderNow(ctx, trx, row)
    return presentDomain(ctx, trx, application, row)
  })
}

/** Verification may unblock the certificate order. */
async function orderNow(
  ctx: Context,
  trx: Trx,
  { workspace_id: workspaceId, host }: DomainRow,
): Promise<void> {
  const [known] = await listCertificates(trx, workspaceId, [host])
  if (known?.status !== 'waiting' || known.kind !== 'acme') return
  await updateCertificate(trx, workspaceId, known, { next_try_at: sql<Date>`now()` })
  await enqueueOrder(ctx, trx, workspaceId, known.id)
}
