import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { certificateKeySealContext, enqueueOrder } from '../applications/hosts/certificate-request.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { requestAcmeCertificate } from './acme-request.ts'
import { domainTarget } from './certificate.ts'
import { withChallenges, type ClaimedHost, probeChallenge } from './challenges.ts'
import type { CertificatePair } from './certificate-pair.ts'
import { OrderRateLimited, OrderPostponed, OrderRejected } from './order-errors.ts'
import { findRateLimitWait, isRenewal, savePause } from './acme-rate-limit.ts'
import {
  type CertificateChanges,
  type CertificateRow,
  listApplicationsWithHost,
  listDomainServers,
  lockOrders,
  updateCertificate,
} from './store.ts'
import { isPublicAddress } from '../../platform/net/address-range.ts'
import { listHostNames } from '../applications/hosts/host-names.ts'
import { isReservedHost } from '../applications/hosts/reserved-host.ts'
import { getWebPorts, type ServerRow } from '../servers/server.ts'
import { saveEvidence, otherPortMessage, verifyHostName } from './verify-host-name.ts'
import { renewAt } from './renew-certificates.ts'
import { formatList, formatAlternatives } from '../../../contract/shared/format-list.ts'

/** Backoff in minutes; authorities limit failed validations. */
const waits = { waiting: [1, 5, 15, 30, 60], failed: [5, 15, 60, 180, 720] }

export async function orderCertificate(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'certificate'>,
  run: JobRun,
): Promise<void> {
  const row = await ctx.db
    .selectFrom('certificates')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('kind', '=', 'acme')
    .where('next_try_at', '<=', sql<Date>`now()`)
    .executeTakeFirst()
  if (!row) return
  const servers = await listDomainServers(ctx.db, workspaceId, row.host)
  if (servers.length === 0) {
    await ctx.db
      .deleteFrom('certificates')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('kind', '=', 'acme')
      .execute()
    return
  }
  try {
    await mustNotWait(ctx, row)
    const answering = await checkOrderable(ctx, row, servers)
    await countOrder(ctx, row)
    const pair = await withChallenges(ctx, row, answering, (serveChallenge) =>
      requestAcmeCertificate(ctx, row.host, serveChallenge, run.signal),
    )
    await keep(ctx, row, pair, run)
  } catch (error) {
    if (!(error instanceof OrderPostponed || error instanceof OrderRejected)) throw error
    if (error instanceof OrderRejected) await savePause(ctx, ctx.db, row.host, error)
    await postpone(ctx, row, error, run)
  }
}

async function mustNotWait(ctx: Context, row: CertificateRow): Promise<void> {
  const wait = await findRateLimitWait(ctx, ctx.db, row)
  if (wait) throw new OrderRateLimited(wait)
}

/** Counts orders under a lock, so that concurrent ones cannot exceed the limit. */
const countOrder = (ctx: Context, row: CertificateRow): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const { workspace_id: workspaceId, host } = row
    await lockOrders(trx, workspaceId)
    await mustNotWait({ ...ctx, db: trx }, row)
    const order = { workspace_id: workspaceId, host, renewal: isRenewal(row) }
    await trx.insertInto('acme_orders').values(order).execute()
  })

async function keep(ctx: Context, row: CertificateRow, pair: CertificatePair, run: JobRun): Promise<void> {
  await write(ctx, row, run, {
    status: 'issued',
    chain: pair.chain,
    key_sealed: ctx.secrets.seal(certificateKeySealContext(row.id), pair.key),
    issuer: pair.issuer,
    valid_from: pair.from,
    expires_at: pair.until,
    error: null,
    failures: 0,
    next_try_at: renewAt(pair),
  })
}

/** Schedules the next attempt. A certificate in use stays in use. */
async function postpone(
  ctx: Context,
  row: CertificateRow,
  error: OrderPostponed | OrderRejected,
  run: JobRun,
) {
  const kind = error instanceof OrderRejected ? 'failed' : 'waiting'
  const failures = failuresAfter(row, error, kind)
  const minutes = waits[kind][Math.min(failures, waits[kind].length) - 1] ?? 60
  const seconds = Math.max(minutes * 60, error instanceof OrderRejected ? error.retryAfter : 0)
  await write(ctx, row, run, {
    status: row.chain === null ? kind : 'issued',
    error: error.message.slice(0, 2_000),
    failures,
    next_try_at:
      error instanceof OrderRateLimited ? error.until : new Date(ctx.now().getTime() + seconds * 1000),
  })
}

/** A rate-limit wait does not count as a failure. */
function failuresAfter(row: CertificateRow, error: Error, kind: CertificateRow['status']): number {
  if (error instanceof OrderRateLimited) return row.failures
  return row.status === kind || row.status === 'issued' ? row.failures + 1 : 1
}

const write = (ctx: Context, row: CertificateRow, run: JobRun, changes: CertificateChanges) =>
  transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    const { workspace_id: workspaceId, host } = row
    const after = await updateCertificate(trx, workspaceId, row, changes)
    if (!after) return
    if (after.next_try_at) await enqueueOrder(ctx, trx, workspaceId, row.id, after.next_try_at)
    await emitOutcome(trx, row, after)
    for (const application of await listApplicationsWithHost(trx, workspaceId, host)) {
      await nudge(trx, workspaceId, 'application.changed', application.id)
      if (changes.chain !== undefined) await requestProxySync(ctx, trx, application)
    }
  })

/** Emits events for the first failure and for each certificate, not for waiting. */
async function emitOutcome(trx: Trx, before: CertificateRow, after: CertificateRow): Promise<void> {
  const { workspace_id: workspaceId } = after
  if (after.chain !== before.chain)
    await emit(trx, 'slipway', workspaceId, 'certificate.issued', domainTarget(after))
  else if (
    after.failures === 1 &&
    isNews(before, after) &&
    (after.status === 'failed' || after.chain !== null)
  )
    await emit(
      trx,
      'slipway',
      workspaceId,
      'certificate.failed',
      domainTarget(after),
      after.error ?? undefined,
    )
}

const isNews = (before: CertificateRow, after: CertificateRow) =>
  before.failures !== after.failures || before.status !== after.status

/** Authorities limit failed validations, so a challenge must reach the proxy before an order. */
async function checkOrderable(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
): Promise<ServerRow[]> {
  const { workspace_id: workspaceId, host } = claimed
  const held = (await listHostNames(ctx.db, workspaceId, [host])).get(host)
  if (!held || isReservedHost(ctx.config, host))
    throw new OrderPostponed(`The domain ${host} no longer belongs to this workspace.`)
  const usable = servers.filter((server) => getWebPorts(server).http_port === 80)
  const evidence = await verifyHostName(ctx, claimed, usable.length > 0 ? usable : servers)
  if (!(await saveEvidence(ctx.db, claimed, evidence)))
    throw new OrderPostponed(`The domain ${host} no longer belongs to this workspace.`)
  const [server] = servers
  if (usable.length === 0 && server)
    throw new OrderPostponed(otherPortMessage(server.name, getWebPorts(server).http_port))
  // A TXT record may have been removed since; the authority validates anyway.
  if (!evidence.proof && held.proof !== 'dns_txt') throw new OrderPostponed(evidence.problem)
  if (evidence.proof !== 'server') await mustBeRelayed(ctx, claimed, usable, evidence)
  return usable
}

/** Limits the addresses to check, since each check may wait for seconds. */
const MOST_ADDRESSES = 8

/** Requires that a load balancer, CDN or router to which the name points forwards requests to one of these servers. */
async function mustBeRelayed(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
  { addresses, problem }: { addresses: string[]; problem: string },
): Promise<void> {
  const outside = addresses.filter(isPublicAddress).slice(0, MOST_ADDRESSES)
  if (outside.length === 0) throw new OrderPostponed(problem)
  const reason = await probeChallenge(ctx, claimed, servers, outside)
  if (reason !== undefined)
    throw new OrderPostponed(
      `${claimed.host} points to ${formatList(outside)}, but port 80 there does not reach ${formatAlternatives(servers.map(({ name }) => name))}: ${reason}. Forward requests to the server, or point the DNS record to it.`,
    )
}
