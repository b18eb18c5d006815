import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from '../applications/application.ts'
import { listHostNames } from '../applications/hosts/host-names.ts'
import { checkDnsTarget } from '../applications/hosts/dns.ts'
import { getDomainRow, serverOf } from './domain.ts'

interface Place {
  id: Id<'application'>
  domain_id: Id<'domain'>
}

export async function checkDns(ctx: Context, actor: Actor, place: Place): Promise<string | null> {
  const application = await getApplicationRow(ctx, actor, place.id)
  const { host } = await getDomainRow(ctx.db, application, place.domain_id)
  const { problem } = await checkDnsTarget(ctx, await serverOf(ctx, ctx.db, application), host)
  // A domain verified by a TXT record may point to a load balancer, a CDN or a router.
  const held = (await listHostNames(ctx.db, actor.workspace.id, [host])).get(host)
  return problem === undefined || held?.proof === 'dns_txt' ? null : problem
}
