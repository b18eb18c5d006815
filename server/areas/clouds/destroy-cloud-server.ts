import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { nudge } from '../../events.ts'
import { finishQueuedDuplicates, type JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import {
  type CloudTokenRow,
  findCloudToken,
  getProvider,
  toProviderAccount,
} from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection, markTokenRejected } from '../cloud-tokens/token-status.ts'
import { formatMonthlyCost, providerName } from '../servers/present-cloud.ts'
import { forgetServer, lockDeletableServer } from '../servers/delete-server.ts'
import { changeServer, findServer, lockServer, type ServerRow } from '../servers/server.ts'
import { CreationChanged, pollScale, visibilityDelayMs } from './creation.ts'
import { enqueueDestroy } from './request-destroy.ts'
import { type CloudServerRow, createdAgoMs, findCloudServer, requestedAgoMs } from './store.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { CloudRefused, MissingPermission } from '../providers/cloud-errors.ts'
import type { Account, CloudServer, Provider } from '../providers/provider.ts'

const longest = 30_000
const lookAgain = 5_000
const longestRefused = 300_000

interface Destroying {
  ctx: Context
  run: JobRun
  server: ServerRow
  cloud: CloudServerRow
  tries: number
}

interface Payload {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
  tries?: number | undefined
}

/** Deletes the row last, because until then it shows what is left at the provider. */
export async function destroyCloudServer(ctx: Context, payload: Payload, run: JobRun): Promise<void> {
  const { workspace_id: workspaceId, server_id: id, tries = 0 } = payload
  await finishQueuedDuplicates(ctx.db, run)
  const server = await findServer(ctx, workspaceId, id)
  const cloud = await findCloudServer(ctx.db, workspaceId, id)
  if (server?.status !== 'deleting' || !cloud) return
  const destroying = { ctx, run, server, cloud, tries }
  const token = cloud.cloud_token_id && (await findCloudToken(ctx, workspaceId, cloud.cloud_token_id))
  if (!token) return tryLater(destroying, longestRefused, 'The cloud token of this server was deleted.')
  try {
    await attempt(destroying, token)
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof CreationChanged) return
    if (!(error instanceof Problem)) throw error
    if (isTokenRejection(error)) await markTokenRejected(ctx, token, error.message)
    await tryLater(destroying, pauseAfter(error, tries), error.message)
  }
}

async function attempt(destroying: Destroying, token: CloudTokenRow): Promise<void> {
  const { ctx, run, server, cloud } = destroying
  const provider = getProvider(cloud.provider)
  const there = { provider, account: toProviderAccount(ctx, token, run.signal), server, cloud }
  const removed = await removeServersAtProvider(ctx, there, run.signal, () => mustGo(destroying))
  if (!removed) return tryLater(destroying, 0, `${provider.name} has not deleted the server yet.`)
  const unsettled = await unsettledMs(destroying, removed)
  if (unsettled > 0) return tryLater(destroying, Math.min(unsettled, lookAgain))
  await removeKeyAtProvider(ctx, there)
  await finish(destroying)
}

/**
 * Returns how long a server may still appear: a crashed worker may have requested it, or the provider may not list it
 * yet.
 */
async function unsettledMs({ ctx, server, cloud }: Destroying, removed: Set<string>): Promise<number> {
  const { workspace_id: workspaceId, id } = server
  const wasSeen = cloud.cloud_id !== null && removed.has(cloud.cloud_id)
  const asked = await requestedAgoMs(ctx.db, workspaceId, id)
  const made = wasSeen ? null : await createdAgoMs(ctx.db, workspaceId, id)
  return visibilityDelayMs(ctx.config) - Math.min(asked ?? Infinity, made ?? Infinity)
}

/** Re-check the row before each deletion: the user may have chosen to keep the server. */
const mustGo = ({ ctx, run, server }: Destroying): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    const now = await lockServer(trx, server.workspace_id, server.id)
    if (now?.status !== 'deleting') throw new CreationChanged()
  })

async function finish({ ctx, run, server }: Destroying): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    await forgetServer(trx, 'slipway', await lockDeletableServer(trx, server.workspace_id, server.id))
  })
  ctx.hosts.disconnect(server.id)
}

/** Re-enqueues the job to free the worker. */
async function tryLater(
  { ctx, run, server, cloud, tries }: Destroying,
  delay: number,
  why?: string,
): Promise<void> {
  const { workspace_id, id } = server
  const reason = why === undefined ? null : `${why} ${keepsTrying(cloud)}`
  await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    if (reason !== server.reason) {
      await changeServer(trx, workspace_id, id, { reason })
      await nudge(trx, workspace_id, 'server.changed', id)
    }
    await enqueueDestroy(ctx, trx, { workspace_id, server_id: id, tries: tries + 1 }, delay)
  })
}

function keepsTrying(cloud: CloudServerRow): string {
  const cost = formatMonthlyCost(cloud)
  const costs = cost === undefined ? 'is still billed' : `still costs ${cost}`
  return `Slipway keeps retrying. Until the server is destroyed, it may exist at ${providerName(cloud)} and ${costs}.`
}

function pauseAfter(error: Problem, tries: number): number {
  const [first, most] = isTokenRejection(error) ? [10_000, longestRefused] : [1_000, longest]
  const asked = (error.retryAfter ?? 0) * 1_000
  return Math.min(Math.max(asked, exponentialBackoff(tries, first, Infinity)), Math.max(most, asked))
}

const lookEvery = 2_000
const looks = 15

interface ServerAtProvider {
  provider: Provider
  account: Account
  server: ServerRow
  cloud: CloudServerRow
}

/**
 * Returns the IDs of the destroyed servers once none with the tag is left. `mustGo` throws if the server is to be kept.
 */
async function removeServersAtProvider(
  ctx: Context,
  there: ServerAtProvider,
  signal: AbortSignal,
  mustGo: () => Promise<void>,
): Promise<Set<string> | undefined> {
  const { provider, account, server } = there
  const asked = new Set<string>()
  for (let look = 0; look < looks; look++) {
    const left = await findLeft(there)
    if (left.length === 0) return asked
    // Providers reject a second deletion while the first is in progress.
    for (const { id } of left.filter((server) => server.status !== 'deleted' && !asked.has(server.id))) {
      await mustGo()
      await provider.destroyServer(account, id)
      asked.add(id)
      ctx.log.info(
        { server: server.id, provider: provider.id, id },
        'Destroyed a server at its cloud provider',
      )
    }
    await sleep(lookEvery * pollScale(ctx.config), undefined, { signal })
  }
  return undefined
}

async function findLeft({
  provider,
  account,
  server,
  cloud: { cloud_id },
}: ServerAtProvider): Promise<CloudServer[]> {
  const marked = await provider.listServers(account, server.id)
  if (cloud_id === null || marked.some(({ id }) => id === cloud_id)) return marked
  const known = await provider.findServer(account, cloud_id)
  return known ? [...marked, known] : marked
}

/** Best effort: a leftover key costs nothing and is useless without its private key. */
async function removeKeyAtProvider(ctx: Context, there: ServerAtProvider): Promise<void> {
  const { provider, account, server } = there
  try {
    const id = await findKey(there)
    if (id !== undefined) await provider.removeKey(account, id)
  } catch (error) {
    if (!(error instanceof CloudRefused || error instanceof MissingPermission)) throw error
    ctx.log.info(
      { server: server.id, reason: error.message },
      'Failed to delete the SSH key of a server at its cloud provider',
    )
  }
}

/** An interrupted upload may have left the key without a saved ID. */
async function findKey({ provider, account, server, cloud }: ServerAtProvider): Promise<string | undefined> {
  if (cloud.cloud_key_id !== null) return cloud.cloud_key_id
  if (cloud.step !== 'key' || server.public_key === null) return undefined
  return provider.findKey(account, server.public_key)
}
