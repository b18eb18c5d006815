import type { z } from 'zod'
import type { createDomain } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { requestProof } from '../applications/hosts/certificate-request.ts'
import { claimRoutes } from '../applications/hosts/claim-routes.ts'
import { hasTxtRecord } from '../applications/hosts/host-names.ts'
import { emitApplicationChange } from '../applications/emit-change.ts'
import { requestProxySync } from '../applications/hosts/proxy-sync.ts'
import { takeOverHosts } from '../applications/hosts/take-over-host.ts'
import { withLockedApplication } from '../applications/with-application.ts'
import {
  claimHost,
  findGeneratedHost,
  assertWithinTokenLimit,
  presentDomain,
  getApplicationServer,
} from './domain.ts'
import { resolveDomainTarget } from './domain-target.ts'
import { isServedBy, proveHost } from './prove-host.ts'
import { insertDomain, listDomainRows } from './store.ts'

export type NewDomain = z.output<typeof createDomain.body>

/** Limited, since all domains are part of the proxy configuration. */
const MOST = 100

export async function addDomain(ctx: Context, actor: Actor, id: Id<'application'>, given: NewDomain) {
  await takeOverUnproven(ctx, actor, id, given.host)
  return withLockedApplication(ctx, actor, id, async (trx, application) => {
    if ((await listDomainRows(trx, application.workspace_id, id)).length >= MOST)
      throw conflict('domains_full', `This application has reached the limit of ${MOST} domains.`)
    const leading = await resolveDomainTarget(ctx, trx, application, given)
    await claimDomainRoute(ctx, trx, actor, application, given)
    const row = await insertDomain(trx, {
      id: newId('domain'),
      workspace_id: application.workspace_id,
      application_id: id,
      ...given,
      ...leading,
      generated: await isGeneratedDomain(ctx, trx, application, given.host),
    })
    await requestProof(ctx, trx, application.workspace_id, row)
    await requestProxySync(ctx, trx, application)
    await emitApplicationChange(trx, actor, application, 'application.domain_added', [formatDomain(row)])
    return presentDomain(ctx, trx, application, row)
  })
}

export async function takeOverUnproven(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  host: string,
): Promise<void> {
  const application = await getApplicationRow(ctx, actor, id)
  const { workspace_id } = application
  await takeOverHosts(ctx, workspace_id, [host], async (_, holder) => {
    const server = await getApplicationServer(ctx, ctx.db, application)
    if (holder && (await isServedBy(ctx, { workspace_id: holder, host }, server)))
      return (await hasTxtRecord(ctx, workspace_id, host)) ? 'dns_txt' : undefined
    return (await proveHost(ctx, { workspace_id, host }, [server])).proof
  })
}

/**
 * Throws 409 if another workspace holds the name, 403 if it is beyond the limit of an API token, and 422 if another
 * application on the machine uses the domain.
 */
export async function claimDomainRoute(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  application: ApplicationRow,
  { host, path }: NewDomain,
  except?: Id<'domain'>,
): Promise<void> {
  const wanted = {
    application: application.id,
    domains: [{ host, path }],
    ports: [],
    ...(except && { except }),
  }
  await claimHost(ctx, trx, application, host)
  await assertWithinTokenLimit(trx, actor, host)
  const [taken] = await claimRoutes(trx, await getApplicationServer(ctx, trx, application), wanted)
  if (taken) throw new Invalid({ host: [taken.message] })
}

/** Whether it is the generated URL, which users may remove and add again. */
export const isGeneratedDomain = async (ctx: Context, trx: Trx, application: ApplicationRow, host: string) =>
  (await findGeneratedHost(ctx, trx, application)) === host

export const formatDomain = ({ host, path }: { host: string; path: string }) =>
  path === '/' ? host : `${host}${path}`
