import type { z } from 'zod'
import type { createDomain } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import {
  type ApplicationRow,
  emitApplicationChange,
  getApplicationRow,
  withLockedApplication,
} from '../applications/application.ts'
import { requestProof } from '../applications/hosts/certificate-request.ts'
import { claimRoutes } from '../applications/hosts/claim-routes.ts'
import { hasTxtRecord } from '../applications/hosts/host-names.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { takeOverHosts } from '../applications/hosts/release-host.ts'
import {
  assertWithinTokenLimit,
  claimHost,
  findGeneratedHost,
  getApplicationServer,
  presentDomain,
} from './domain.ts'
import { isServedBy, verifyHostName } from './verify-host-name.ts'
import { insertDomain, listDomainRows } from './store.ts'
import { listInstances } from '../applications/instance.ts'
import { readServices } from '../applications/compose.ts'

export type NewDomain = z.output<typeof createDomain.body>

/** Limited, since all domains are part of the proxy configuration. */
const MAX_DOMAINS = 100

export async function addDomain(ctx: Context, actor: Actor, id: Id<'application'>, input: NewDomain) {
  await takeOverUnproven(ctx, actor, id, input.host)
  return withLockedApplication(ctx, actor, id, async (trx, application) => {
    if ((await listDomainRows(trx, application.workspace_id, id)).length >= MAX_DOMAINS)
      throw conflict('domains_full', `This application has reached the limit of ${MAX_DOMAINS} domains.`)
    const leading = await resolveDomainTarget(ctx, trx, application, input)
    await claimDomainRoute(ctx, trx, actor, application, input)
    const row = await insertDomain(trx, {
      id: newId('domain'),
      workspace_id: application.workspace_id,
      application_id: id,
      ...input,
      ...leading,
      generated: await isGeneratedDomain(ctx, trx, application, input.host),
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
    if (holder && (await isServedBy(ctx, { workspace_id: holder, host })))
      return (await hasTxtRecord(ctx, workspace_id, host)) ? 'dns_txt' : undefined
    const server = await getApplicationServer(ctx, ctx.db, application)
    return (await verifyHostName(ctx, { workspace_id, host }, [server])).proof
  })
}

export async function claimDomainRoute(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  application: ApplicationRow,
  { host, path }: NewDomain,
  except?: Id<'domain'>,
): Promise<void> {
  const requested = {
    application: application.id,
    domains: [{ host, path }],
    ports: [],
    ...(except && { except }),
  }
  await claimHost(ctx, trx, application, host)
  await assertWithinTokenLimit(trx, actor, host)
  const [taken] = await claimRoutes(trx, await getApplicationServer(ctx, trx, application), requested)
  if (taken) throw new Invalid({ host: [taken.message] })
}

export const isGeneratedDomain = async (ctx: Context, trx: Trx, application: ApplicationRow, host: string) =>
  (await findGeneratedHost(ctx, trx, application)) === host

export const formatDomain = ({ host, path }: { host: string; path: string }) =>
  path === '/' ? host : `${host}${path}`

interface Leading {
  service: string
  port: number | null
}

export async function resolveDomainTarget(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { service, port }: Leading,
): Promise<Leading> {
  const services = await readServices(ctx, trx, application)
  if (!services) {
    if (service !== '')
      throw new Invalid({ service: ['Only compose applications have services. Leave this field empty.'] })
    return { service, port }
  }
  const named = services.find(({ name }) => name === service)
  if (!named) {
    const names = services.map(({ name }) => name).join(', ')
    throw new Invalid({ service: [`Choose a service: ${names}.`] })
  }
  if (port !== null) return { service, port }
  const [only, ...others] = named.ports
  if (others.length > 0)
    throw new Invalid({
      port: [`Service ${service} exposes several ports: ${named.ports.join(', ')}. Choose one.`],
    })
  // Store the port, so that later changes of the file do not move the domain.
  if (only !== undefined) return { service, port: only }
  if (await isUnknown(trx, application, service))
    throw new Invalid({ port: [`Specify the port of ${service}: the compose file does not define one.`] })
  return { service, port }
}

/** Whether the service runs without a known port. If it does not run yet, its deployment finds the port in the image. */
async function isUnknown(trx: Trx, { workspace_id, id }: ApplicationRow, service: string): Promise<boolean> {
  const instances = await listInstances(trx, workspace_id, id)
  return instances.some(
    (instance) => instance.service === service && instance.state === 'serving' && instance.port === null,
  )
}
