import { type CloudTokenRow, findCloudToken, toProviderAccount } from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection, markTokenAccepted, markTokenRejected } from '../cloud-tokens/token-status.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { type Creation, CreationFailed, pollScale, saveCreationProgress } from './creation.ts'
import { creationFailedMessage } from './failure-messages.ts'
import { CloudBusy, CloudUnavailable, TokenRefused } from '../providers/cloud-errors.ts'
import { enqueueProvision } from '../servers/cloud-creation.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

/** Calls the provider; while it is unavailable, the creation is retried later. */
export async function callProvider<T>(
  creation: Creation,
  ask: (provider: Provider, account: Account) => Promise<T>,
): Promise<T> {
  const token = await readCreationToken(creation)
  try {
    const answer = await ask(creation.provider, toProviderAccount(creation.ctx, token, creation.run.signal))
    await hear(creation, token)
    return answer
  } catch (error) {
    throw await toRetry(creation, token, error)
  }
}

export async function readCreationToken({ ctx, cloud }: Creation): Promise<CloudTokenRow> {
  const { workspace_id: workspaceId, cloud_token_id: id } = cloud
  const row = id === null ? undefined : await findCloudToken(ctx, workspaceId, id)
  if (!row)
    throw new CreationFailed(creationFailedMessage(cloud, 'The cloud token of this server was deleted.'))
  return row
}

/** Clears the unavailability message, unless a create request is still open. */
async function hear(creation: Creation, token: CloudTokenRow): Promise<void> {
  const { ctx, run, server, cloud } = creation
  if (unavailableSince(server.reason) === undefined) return
  if (cloud.asked_at === null) await saveCreationProgress(creation, { server: { reason: null } })
  if (token.error !== null) await markTokenAccepted(ctx, token, run.signal)
}

const longest = 30_000
const longestBusy = 60_000

export class RetryProvisioningLater extends Error {
  readonly pause: number
  readonly why: string | undefined
  readonly tries: number | undefined

  constructor(pause: number, { why, tries }: { why?: string; tries?: number } = {}) {
    super(why ?? 'Retrying the request to the cloud provider later.')
    this.pause = pause
    this.why = why
    this.tries = tries
  }
}

/** Returns when to retry, or throws if a retry cannot help. */
export async function toRetry(creation: Creation, token: CloudTokenRow, error: unknown): Promise<Error> {
  const { ctx, run, cloud, tries } = creation
  run.signal.throwIfAborted()
  if (isTokenRejection(error)) await markTokenRejected(ctx, token, error.message)
  if (canWait(error))
    return new RetryProvisioningLater(retryDelay(tries, error.retryAfter), { why: error.message })
  if (isTokenRejection(error)) return new CreationFailed(creationFailedMessage(cloud, error.message))
  throw error
}

/** A rejected token may be replaced, so waiting makes sense. */
const canWait = (error: unknown): error is CloudUnavailable | CloudBusy | TokenRefused =>
  error instanceof CloudUnavailable || error instanceof CloudBusy || error instanceof TokenRefused

export function retryDelay(tries: number, retryAfter = 0): number {
  const usual = exponentialBackoff(tries, 1_000, longest)
  return Math.max(usual, Math.min(retryAfter * 1_000, longestBusy))
}

/** Re-enqueues the job to free the worker, and records the reason and since when. */
export async function postponeCreation(creation: Creation, later: RetryProvisioningLater): Promise<void> {
  const { ctx, server } = creation
  const { pause, why, tries = creation.tries + 1 } = later
  const since = unavailableSince(server.reason) ?? ctx.now().toISOString().slice(11, 16)
  const reason = why === undefined ? server.reason : `${why} Slipway has been retrying since ${since} UTC.`
  await saveCreationProgress(creation, { server: reason === server.reason ? {} : { reason } }, (trx) =>
    enqueueProvision(ctx, trx, server, { tries, delay: pause * pollScale(ctx.config) }),
  )
}

/** Parses since when the provider is unavailable from the reason, which another worker may have written. */
const unavailableSince = (reason: string | null) => /since (\d\d:\d\d) UTC\.$/.exec(reason ?? '')?.[1]
