import * as contract from '../../../contract/domains.ts'
import * as instance from '../../../contract/instance.ts'
import { successReply, route, type Actor } from '../../route.ts'
import { addDomain } from './add-domain.ts'
import { changeDomain, removeDomain } from './change-domain.ts'
import { listDomains, getDomainRow, getApplicationServer } from './domain.ts'
import { listAllHostNames, releaseHostName } from './instance-host-names.ts'
import { verifyDomain } from './verify-domain.ts'
import { removeCertificate, requestOrder, uploadCertificate } from './uploaded-certificate.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { getApplicationRow } from '../applications/application.ts'
import { listHostNames } from '../applications/hosts/host-names.ts'
import { checkDnsTarget } from '../applications/hosts/dns.ts'

interface DomainRef {
  id: Id<'application'>
  domain_id: Id<'domain'>
}

async function checkDns(ctx: Context, actor: Actor, place: DomainRef): Promise<string | null> {
  const application = await getApplicationRow(ctx, actor, place.id)
  const { host } = await getDomainRow(ctx.db, application, place.domain_id)
  const { problem } = await checkDnsTarget(ctx, await getApplicationServer(ctx, ctx.db, application), host)
  // A domain verified by a TXT record may point to a load balancer, a CDN or a router.
  const held = (await listHostNames(ctx.db, actor.workspace.id, [host])).get(host)
  return problem === undefined || held?.proof === 'dns_txt' ? null : problem
}

export const routes = [
  route(contract.listDomains, (ctx, { caller, params }) => listDomains(ctx, caller, params.id)),
  route(contract.checkDns, async (ctx, { caller, params }) => ({
    problem: await checkDns(ctx, caller, params),
  })),
  route(contract.createDomain, async (ctx, { caller, params, body }) => ({
    domain: await addDomain(ctx, caller, params.id, body),
  })),
  route(contract.updateDomain, async (ctx, { caller, params, body }) => ({
    domain: await changeDomain(ctx, caller, params, body),
  })),
  route(contract.deleteDomain, async (ctx, { caller, params }) => {
    await removeDomain(ctx, caller, params)
    return successReply
  }),
  route(contract.verifyDomain, async (ctx, { caller, params }) => ({
    domain: await verifyDomain(ctx, caller, params),
  })),
  route(contract.uploadCertificate, async (ctx, { caller, params, body }) => ({
    domain: await uploadCertificate(ctx, caller, params, body),
  })),
  route(contract.removeCertificate, async (ctx, { caller, params }) => ({
    domain: await removeCertificate(ctx, caller, params),
  })),
  route(instance.listHostNames, (ctx, { query }) => listAllHostNames(ctx, query)),
  route(instance.releaseHostName, async (ctx, { caller, params }) => {
    await releaseHostName(ctx, caller, params.host)
    return successReply
  }),
  route(contract.orderCertificate, async (ctx, { caller, params }) => ({
    domain: await requestOrder(ctx, caller, params),
  })),
]
