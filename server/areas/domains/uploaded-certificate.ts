import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationRow, withLockedApplication } from '../applications/application.ts'
import {
  certificateKeySealContext,
  enqueueOrder,
  requestCertificate,
} from '../applications/hosts/certificate-request.ts'
import { isIssued } from '../applications/hosts/domain-url.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { domainTarget } from './certificate.ts'
import { checkCertificatePair } from './certificate-pair.ts'
import { claimHost, type DomainRef, getDomainRow, assertWithinTokenLimit, presentDomain } from './domain.ts'
import { findRateLimitWait } from './acme-rate-limit.ts'
import {
  type CertificateRow,
  type DomainRow,
  listCertificates,
  listDomainServers,
  lockCertificate,
  updateCertificate,
} from './store.ts'

/** Applies immediately, to every domain of the workspace with this name. */
export const uploadCertificate = (
  ctx: Context,
  actor: Actor,
  place: DomainRef,
  input: { certificate: string; key: string },
) =>
  withSecureDomain(ctx, actor, place, async (trx, application, domain) => {
    const pair = checkCertificatePair(input, domain.host)
    const { workspace_id: workspaceId } = application
    const known = await lockCertificate(trx, {
      id: newId('certificate'),
      workspace_id: workspaceId,
      host: domain.host,
      kind: 'uploaded',
      status: 'issued',
    })
    await updateCertificate(trx, workspaceId, known, {
      kind: 'uploaded',
      status: 'issued',
      chain: pair.chain,
      key_sealed: ctx.secrets.seal(certificateKeySealContext(known.id), pair.key),
      issuer: pair.issuer,
      valid_from: pair.from,
      expires_at: pair.until,
      error: null,
      failures: 0,
      next_try_at: null,
    })
    await syncAll(ctx, trx, domain)
    await emit(trx, actor, workspaceId, 'certificate.uploaded', domainTarget(known))
  })

export const removeCertificate = (ctx: Context, actor: Actor, place: DomainRef) =>
  withSecureDomain(ctx, actor, place, async (trx, application, domain) => {
    const known = await findOne(trx, domain)
    if (known?.kind !== 'uploaded')
      throw conflict('not_uploaded', `There is no uploaded certificate for ${domain.host}.`)
    await updateCertificate(trx, application.workspace_id, known, {
      kind: 'acme',
      status: 'waiting',
      chain: null,
      key_sealed: null,
      issuer: null,
      valid_from: null,
      expires_at: null,
      error: null,
      failures: 0,
      next_try_at: sql<Date>`now()`,
    })
    await enqueueOrder(ctx, trx, application.workspace_id, known.id)
    await syncAll(ctx, trx, domain)
    await emit(trx, actor, application.workspace_id, 'certificate.removed', domainTarget(known))
  })

export const requestOrder = (ctx: Context, actor: Actor, place: DomainRef) =>
  withSecureDomain(ctx, actor, place, async (trx, application, domain) => {
    const { workspace_id: workspaceId } = application
    const known = await findOne(trx, domain)
    if (known?.kind === 'uploaded')
      throw conflict(
        'certificate_uploaded',
        `The domain ${domain.host} uses an uploaded certificate. Remove it first to order another.`,
      )
    const wait = await findRateLimitWait(
      ctx,
      trx,
      known ?? { workspace_id: workspaceId, host: domain.host, chain: null },
    )
    if (wait) throw conflict('certificate_postponed', wait.reason)
    if (!known) return requestCertificate(ctx, trx, workspaceId, domain.host)
    if (isFine(known))
      throw conflict(
        'certificate_issued',
        `The domain ${domain.host} has a valid certificate, which is renewed automatically.`,
      )
    await updateCertificate(trx, workspaceId, known, { next_try_at: sql<Date>`now()` })
    await enqueueOrder(ctx, trx, workspaceId, known.id)
  })

/** A certificate that is in use and not due needs no order, but a failed renewal can be retried. */
const isFine = (row: CertificateRow) =>
  isIssued(row) && row.failures === 0 && row.next_try_at !== null && row.next_try_at > new Date()

type Work = (trx: Trx, application: ApplicationRow, domain: DomainRow) => Promise<unknown>

const withSecureDomain = (ctx: Context, actor: Actor, { id, domain_id }: DomainRef, work: Work) =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    const domain = await getDomainRow(trx, application, domain_id)
    // The name may have been released or taken over.
    await claimHost(ctx, trx, application, domain.host)
    await assertWithinTokenLimit(trx, actor, domain.host)
    if (!domain.https)
      throw conflict('https_off', `HTTPS is off for ${domain.host}. Turn it on, then try again.`)
    await work(trx, application, domain)
    return presentDomain(ctx, trx, application, domain)
  })

const findOne = async (trx: Trx, { workspace_id, host }: DomainRow) =>
  (await listCertificates(trx, workspace_id, [host]))[0]

/** The name may route to several servers of the workspace. */
async function syncAll(ctx: Context, trx: Trx, { workspace_id, host }: DomainRow): Promise<void> {
  for (const { id } of await listDomainServers(trx, workspace_id, host))
    await requestProxySync(ctx, trx, { workspace_id, server_id: id })
}
