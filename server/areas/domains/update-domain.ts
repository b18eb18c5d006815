import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { emitApplicationChange, withLockedApplication } from '../applications/application.ts'
import { requestProof } from '../applications/hosts/certificate-request.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { type DomainRef, getDomainRow, presentDomain } from './domain.ts'
import {
  type NewDomain,
  takeOverUnproven,
  claimDomainRoute,
  isGeneratedDomain,
  formatDomain,
  resolveDomainTarget,
} from './add-domain.ts'

export async function changeDomain(
  ctx: Context,
  actor: Actor,
  { id, domain_id }: DomainRef,
  input: NewDomain,
) {
  await takeOverUnproven(ctx, actor, id, input.host)
  return withLockedApplication(ctx, actor, id, async (trx, application) => {
    await getDomainRow(trx, application, domain_id)
    const leading = await resolveDomainTarget(ctx, trx, application, input)
    await claimDomainRoute(ctx, trx, actor, application, input, domain_id)
    const generated = await isGeneratedDomain(ctx, trx, application, input.host)
    const row = await trx
      .updateTable('domains')
      .set({ ...input, ...leading, generated })
      .where('workspace_id', '=', application.workspace_id)
      .where('id', '=', domain_id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('This domain')
    await requestProof(ctx, trx, application.workspace_id, row)
    await requestProxySync(ctx, trx, application)
    await emitApplicationChange(trx, actor, application, 'application.domain_changed', [formatDomain(row)])
    return presentDomain(ctx, trx, application, row)
  })
}
