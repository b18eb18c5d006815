import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { requestProof } from '../applications/hosts/certificate-request.ts'
import { emitApplicationChange } from '../applications/emit-change.ts'
import { requestProxySync } from '../applications/hosts/proxy-sync.ts'
import { withLockedApplication } from '../applications/with-application.ts'
import {
  formatDomain,
  claimDomainRoute,
  type NewDomain,
  isGeneratedDomain,
  takeOverUnproven,
} from './add-domain.ts'
import { getDomainRow, presentDomain } from './domain.ts'
import { resolveDomainTarget } from './domain-target.ts'
import { deleteDomainRow, updateDomainRow } from './store.ts'

interface DomainRef {
  id: Id<'application'>
  domain_id: Id<'domain'>
}

export async function changeDomain(
  ctx: Context,
  actor: Actor,
  { id, domain_id }: DomainRef,
  given: NewDomain,
) {
  await takeOverUnproven(ctx, actor, id, given.host)
  return withLockedApplication(ctx, actor, id, async (trx, application) => {
    await getDomainRow(trx, application, domain_id)
    const leading = await resolveDomainTarget(ctx, trx, application, given)
    await claimDomainRoute(ctx, trx, actor, application, given, domain_id)
    const generated = await isGeneratedDomain(ctx, trx, application, given.host)
    const row = await updateDomainRow(trx, application.workspace_id, domain_id, {
      ...given,
      ...leading,
      generated,
    })
    if (!row) throw notFound('This domain')
    await requestProof(ctx, trx, application.workspace_id, row)
    await requestProxySync(ctx, trx, application)
    await emitApplicationChange(trx, actor, application, 'application.domain_changed', [formatDomain(row)])
    return presentDomain(ctx, trx, application, row)
  })
}

export const removeDomain = (ctx: Context, actor: Actor, { id, domain_id }: DomainRef) =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    const row = await getDomainRow(trx, application, domain_id)
    await deleteDomainRow(trx, application.workspace_id, domain_id)
    await requestProxySync(ctx, trx, application)
    await emitApplicationChange(trx, actor, application, 'application.domain_removed', [formatDomain(row)])
  })
