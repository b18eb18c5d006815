import { exponentialBackoff } from '../../contract/shared/backoff.ts'
import { type ClaimedJob, assertLease, type LeaseOutcome } from '../platform/leases.ts'
import {
  jobErrorLocation,
  PermanentFailure,
  type Job,
  jobPayloadLocation,
  JobStopped,
} from '../platform/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Secrets } from '../platform/secrets.ts'

/** Seconds until the next attempt. */
export const jobRetryDelay = (failures: number, jitter: number) =>
  exponentialBackoff(failures, 1, 600, jitter)

/** Runs a job once and returns the outcome of its lease. Catches whatever the handler throws. */
export async function runJob<Ctx>(
  { ctx, secrets, log }: { ctx: Ctx; secrets: Secrets; log: Log },
  job: Job<Ctx>,
  claimed: ClaimedJob,
  signal: AbortSignal,
): Promise<LeaseOutcome> {
  const { id, kind, fence, failures, attempts } = claimed
  const attempt = failures + 1
  const started = performance.now()
  try {
    const payload: unknown = JSON.parse(secrets.open(jobPayloadLocation(id), claimed.payload_sealed))
    await job.handle(ctx, payload, {
      id,
      attempt,
      fence,
      signal,
      assertLease: (trx) => assertLease(trx, claimed),
    })
    const took = Math.round(performance.now() - started)
    log.debug({ job: id, kind, attempt, took }, 'Job done')
    return { state: 'done' }
  } catch (error) {
    if (signal.reason instanceof JobStopped) {
      log.info({ job: id, kind, attempt, reason: signal.reason.reason }, 'Job stopped')
      return { state: signal.reason.reason === 'cancelled' ? 'cancelled' : 'queued' }
    }
    const errorSealed = secrets.seal(jobErrorLocation(id), errorMessage(error).slice(0, 4_000))
    const facts = { job: id, kind, attempt, ...toLogFields(error) }
    if (attempt >= attempts || error instanceof PermanentFailure) {
      log.error(facts, 'Job failed permanently')
      return { state: 'failed', errorSealed }
    }
    const delay = jobRetryDelay(failures, Math.random())
    log.warn({ ...facts, delay: Math.round(delay) }, 'Job failed and will be retried')
    return { state: 'queued', errorSealed, delay }
  }
}

const errorMessage = (error: unknown) => String(error instanceof Error ? error.message : error)

/** Logs name and stack of an error only: its message can contain secrets. */
function toLogFields(error: unknown) {
  if (!(error instanceof Error)) return { error: typeof error }
  const frames =
    error.stack
      ?.split(error.message)
      .at(-1)
      ?.match(/^ {4}at .*$/gm) ?? []
  return { error: error.name, at: frames.slice(0, 4).map((frame) => frame.trim()) }
}
