import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { emitApplicationChange, withLockedApplication } from '../applications/application.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { type DomainRef, getDomainRow } from './domain.ts'
import { deleteDomainRow } from './store.ts'
import { formatDomain } from './add-domain.ts'

export const removeDomain = (ctx: Context, actor: Actor, { id, domain_id }: DomainRef) =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    const row = await getDomainRow(trx, application, domain_id)
    await deleteDomainRow(trx, application.workspace_id, domain_id)
    await requestProxySync(ctx, trx, application)
    await emitApplicationChange(trx, actor, application, 'application.domain_removed', [formatDomain(row)])
  })
