import type { Area } from '../../area.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { enqueueHostCheck } from '../applications/hosts/certificate-request.ts'
import { releaseUnusedHosts } from '../applications/hosts/release-host.ts'
import { type ClaimedHost, removeExpiredChallenges } from './challenges.ts'
import { orderCertificate } from './order-certificate.ts'
import { enqueueDueOrders } from './renew-certificates.ts'
import { deleteExpiredPauses } from './acme-rate-limit.ts'
import { nudge } from '../../events.ts'
import { listHostNames } from '../applications/hosts/host-names.ts'
import { verifyHostName, saveEvidence } from './verify-host-name.ts'
import { listApplicationsWithHost, listDomainServers } from './store.ts'
import * as contract from '../../../contract/domains.ts'
import * as instance from '../../../contract/instance.ts'
import { type Actor, route, successReply } from '../../route.ts'
import { addDomain } from './add-domain.ts'
import { removeDomain } from './remove-domain.ts'
import { changeDomain } from './update-domain.ts'
import { verifyDomain } from './verify-domain.ts'
import { type DomainRef, getApplicationServer, getDomainRow, listDomains } from './domain.ts'
import { listAllHostNames, releaseHostName } from './instance-host-names.ts'
import { listWorkspaceDomains } from './list-workspace-domains.ts'
import { removeCertificate, requestOrder, uploadCertificate } from './uploaded-certificate.ts'
import { getApplicationRow } from '../applications/application.ts'
import { checkDnsTarget } from '../applications/hosts/dns.ts'

const payload = z.object({ workspace_id: id('workspace'), certificate_id: id('certificate') })
const claimed = z.object({ workspace_id: id('workspace'), host: z.string() })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof payload>('order-certificate', payload, (ctx, input, run) =>
    orderCertificate(ctx, input.workspace_id, input.certificate_id, run),
  ),
  defineJob<Context, typeof claimed>('check-host-name', claimed, checkHostName),
  defineJob<Context, typeof nothing>('tidy-certificates', nothing, tidy),
]

const schedules = [
  {
    name: 'tidy-certificates',
    everySeconds: 600,
    job: { kind: 'tidy-certificates', payload: {}, lane: 'poll' as const },
  },
]

async function tidy(ctx: Context): Promise<void> {
  await deleteExpiredPauses(ctx.db)
  await removeExpiredChallenges(ctx)
  await releaseUnusedHosts(ctx)
  await transaction(ctx.db, async (trx) => {
    await enqueueDueOrders(ctx, trx)
    const { rows: unchecked } = await sql<ClaimedHost>`
      select workspace_id, host from host_names n
      where coalesce(checked_at, created_at) < now() - case when verified_at is null then interval '1 hour' else interval '1 day' end
        and not exists (select from jobs where key = 'host-name:' || n.host and state in ('queued', 'running'))
      order by coalesce(checked_at, created_at) limit 500`.execute(trx)
    for (const row of unchecked) await enqueueHostCheck(ctx, trx, row)
  })
}

/** Runs after a name is added and then regularly, since domains change owners. */
async function checkHostName(ctx: Context, { workspace_id, host }: ClaimedHost): Promise<void> {
  const held = (await listHostNames(ctx.db, workspace_id, [host])).get(host)
  if (!held) return
  const servers = await listDomainServers(ctx.db, workspace_id, host, { https: false })
  const evidence = await verifyHostName(ctx, { workspace_id, host }, servers)
  await transaction(ctx.db, async (trx) => {
    await saveEvidence(trx, { workspace_id, host }, evidence)
    for (const { id } of await listApplicationsWithHost(trx, workspace_id, host))
      await nudge(trx, workspace_id, 'application.changed', id)
  })
}

async function checkDns(ctx: Context, actor: Actor, place: DomainRef): Promise<string | null> {
  const application = await getApplicationRow(ctx, actor, place.id)
  const { host } = await getDomainRow(ctx.db, application, place.domain_id)
  const { problem } = await checkDnsTarget(ctx, await getApplicationServer(ctx, ctx.db, application), host)
  // A domain verified by a TXT record may point to a load balancer, a CDN or a router.
  const held = (await listHostNames(ctx.db, actor.workspace.id, [host])).get(host)
  return problem === undefined || held?.proof === 'dns_txt' ? null : problem
}

const routes = [
  route(contract.listDomains, (ctx, { caller, params }) => listDomains(ctx, caller, params.id)),
  route(contract.listWorkspaceDomains, (ctx, { caller, query }) => listWorkspaceDomains(ctx, caller, query)),
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

export const domainsArea: Area = {
  name: 'domains',
  routes,
  jobs,
  schedules,
}
