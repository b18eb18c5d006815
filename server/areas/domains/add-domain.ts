import type { z } from 'zod'
import type { createDomain } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { requestCertificate } from '../applications/certificate-request.ts'
import { claimRoutes } from '../applications/claim-routes.ts'
import { generatedHost } from '../applications/generated-host.ts'
import { noteChange } from '../applications/noted.ts'
import { requestProxySync } from '../applications/proxy-sync.ts'
import { withApplication } from '../applications/with-application.ts'
import { presentDomain, serverOf } from './domain.ts'
import { leadTo } from './lead-to.ts'
import { insertDomain, listDomainRows } from './store.ts'

export type Given = z.output<typeof createDomain.body>

/** All of them are in the configuration of the proxy. */
const MOST = 100

export const addDomain = (ctx: Context, actor: Actor, id: Id<'application'>, given: Given) =>
  withApplication(ctx, actor, id, async (trx, application) => {
    if ((await listDomainRows(trx, application.workspace_id, id)).length >= MOST)
      throw conflict('domains_full', `This application has ${MOST} addresses, and there can be no more.`)
    const leading = await leadTo(ctx, trx, application, given)
    await claimAddress(ctx, trx, application, given)
    const row = await insertDomain(trx, {
      id: newId('domain'),
      workspace_id: application.workspace_id,
      application_id: id,
      ...given,
      ...leading,
      generated: await isGenerated(ctx, trx, application, given.host),
    })
    if (row.https) await requestCertificate(ctx, trx, application.workspace_id, row.host)
    await requestProxySync(ctx, trx, application)
    await noteChange(trx, actor, application, 'application.domain_added', [addressOf(row)])
    return presentDomain(ctx, trx, application, row)
  })

/** Throws when somebody on the same machine has it, be it in another workspace. */
export async function claimAddress(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { host, path }: Given,
  except?: Id<'domain'>,
): Promise<void> {
  const wanted = {
    application: application.id,
    domains: [{ host, path }],
    ports: [],
    ...(except && { except }),
  }
  const [taken] = await claimRoutes(trx, await serverOf(ctx, trx, application), wanted)
  if (taken) throw new Invalid({ host: [taken.says] })
}

/** Whether it is the one that Slipway itself would give: who took it away may want it back. */
export const isGenerated = async (ctx: Context, trx: Trx, application: ApplicationRow, host: string) =>
  generatedHost(ctx.config, await serverOf(ctx, trx, application), application.slug)?.host === host

export const addressOf = ({ host, path }: { host: string; path: string }) =>
  path === '/' ? host : `${host}${path}`
