import { isTokenRejection, markTokenRejected } from '../cloud-tokens/token-status.ts'
import type { CloudTokenRow } from '../cloud-tokens/cloud-token.ts'
import { CloudUnavailable, CloudBusy, TokenRefused } from '../providers/cloud-errors.ts'
import { enqueueProvision } from '../servers/creation.ts'
import { type Creation, CreationFailed, saveCreationProgress } from './creation.ts'
import { creationFailedMessage } from './failure-messages.ts'
import { pollScale } from './timings.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

/** Maximum retry delays in milliseconds. */
const longest = 30_000
const longestBusy = 60_000

/** Thrown to retry the creation later. */
export class RetryProvisioningLater extends Error {
  readonly pause: number
  readonly why: string | undefined
  readonly tries: number | undefined

  constructor(pause: number, { why, tries }: { why?: string; tries?: number } = {}) {
    super(why ?? 'A cloud request is retried later.')
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
  const reason = why === undefined ? server.reason : `${why} Slipway keeps trying, since ${since} UTC.`
  await saveCreationProgress(creation, { server: reason === server.reason ? {} : { reason } }, (trx) =>
    enqueueProvision(ctx, trx, server, { tries, delay: pause * pollScale(ctx.config) }),
  )
}

/** Parses since when the provider is unavailable from the reason, which another worker may have written. */
export const unavailableSince = (reason: string | null) => /since (\d\d:\d\d) UTC\.$/.exec(reason ?? '')?.[1]
