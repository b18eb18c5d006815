import type { QueryExecutorProvider } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { exponentialBackoff } from '../../contract/shared/backoff.ts'
import {
  type Job,
  jobErrorLocation,
  jobPayloadLocation,
  jobRetryDelay,
  JobStopped,
  type Lane,
  PermanentFailure,
} from '../platform/jobs.ts'
import {
  assertLease,
  type ClaimedJob,
  endLease,
  type Lease,
  LEASE_SECONDS,
  type LeaseOutcome,
} from '../platform/leases.ts'
import type { Log } from '../platform/log.ts'
import { pause } from '../platform/async.ts'
import type { Secrets } from '../platform/secrets.ts'

interface Running {
  lease: ClaimedJob
  controller: AbortController
  /** Whether the handler has returned and only its outcome must be saved. */
  ending: boolean
  over: Promise<void>
}

export function createRunningJobs(db: QueryExecutorProvider, log: Log) {
  const runs = new Map<string, Running>()
  const abandoned = new AbortController()
  let confirmed = performance.now()

  function start(lease: ClaimedJob, work: (signal: AbortSignal) => Promise<LeaseOutcome>, over: () => void) {
    const controller = new AbortController()
    if (lease.cancel_requested) controller.abort(new JobStopped('cancelled'))
    const run: Running = { lease, controller, ending: false, over: Promise.resolve() }
    runs.set(lease.id, run)
    run.over = see(run, work(controller.signal), over)
  }

  async function see(run: Running, work: Promise<LeaseOutcome>, over: () => void) {
    const ending = await work
    run.ending = true
    await saveOutcome(run.lease, ending)
    // If a run ignored the loss of its lease, a new run may have replaced it.
    if (runs.get(run.lease.id) === run) runs.delete(run.lease.id)
    over()
  }

  /** Saves the outcome, and retries until the database responds, because work without an outcome would run again. */
  async function saveOutcome(lease: Lease, ending: LeaseOutcome) {
    for (let failures = 0; !abandoned.signal.aborted; failures++) {
      try {
        if (!(await endLease(db, lease, ending)))
          log.warn({ job: lease.id }, 'Discarded the result of a job that had lost its lease')
        return
      } catch (error) {
        if (failures === 0)
          log.warn({ job: lease.id, reason: String(error) }, 'Failed to save the result of a job; retrying')
        const delay = exponentialBackoff(failures, 50, 1_000)
        await pause(delay, abandoned.signal)
      }
    }
  }

  function stop(run: Running, reason: JobStopped['reason']) {
    if (!run.ending) run.controller.abort(new JobStopped(reason))
  }

  return {
    start,
    count: () => runs.size,
    countIn: (lane: Lane) => [...runs.values()].filter((run) => run.lease.lane === lane).length,
    cancel(id: string) {
      const run = runs.get(id)
      if (run) stop(run, 'cancelled')
    },
    stopAll(reason: JobStopped['reason']) {
      for (const run of runs.values()) stop(run, reason)
    },
    confirm(time: number) {
      confirmed = time
    },
    /** Stops a job before its lease expires, so that no other worker runs it at the same time. */
    stopLapsed() {
      if (performance.now() - confirmed > LEASE_SECONDS * 1_000 - 500)
        for (const run of runs.values()) stop(run, 'lease_lost')
    },
    compare(held: (Lease & { cancel_requested: boolean })[], since: number): Lease[] {
      const byId = new Map(held.map((lease) => [lease.id, lease]))
      for (const run of runs.values()) {
        const current = byId.get(run.lease.id)
        if (current?.fence !== run.lease.fence) stop(run, 'lease_lost')
        else if (current.cancel_requested) stop(run, 'cancelled')
      }
      confirmed = since
      return held.filter(({ id, fence }) => runs.get(id)?.lease.fence !== fence)
    },
    async drain(timeoutMs: number) {
      const all = [...runs.values()].map((run) => run.over)
      await Promise.race([Promise.all(all), sleep(timeoutMs, undefined, { ref: false })])
      abandoned.abort()
      const left = [...runs.values()].map((run) => endLease(db, run.lease, { state: 'queued' }))
      for (const result of await Promise.allSettled(left))
        if (result.status === 'rejected')
          log.warn({ reason: String(result.reason) }, 'Failed to release a lease, which expires on its own')
    },
  }
}

/** Runs a job once and returns the outcome for its lease. Catches every error of the handler. */
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
    log.debug({ job: id, kind, attempt, took }, 'Completed a job')
    return { state: 'done' }
  } catch (error) {
    if (signal.reason instanceof JobStopped) {
      log.info({ job: id, kind, attempt, reason: signal.reason.reason }, 'Stopped a job')
      return { state: signal.reason.reason === 'cancelled' ? 'cancelled' : 'queued' }
    }
    const errorSealed = secrets.seal(jobErrorLocation(id), errorMessage(error).slice(0, 4_000))
    const facts = { job: id, kind, attempt, ...toLogFields(error) }
    if (attempt >= attempts || error instanceof PermanentFailure) {
      log.error(facts, 'Failed to run a job')
      return { state: 'failed', errorSealed }
    }
    const delay = jobRetryDelay(failures, Math.random())
    log.warn({ ...facts, delay: Math.round(delay) }, 'Failed to run a job; retrying')
    return { state: 'queued', errorSealed, delay }
  }
}

const errorMessage = (error: unknown) => String(error instanceof Error ? error.message : error)

/** Returns only the name and stack of an error for the log, because its message can contain secrets. */
function toLogFields(error: unknown) {
  if (!(error instanceof Error)) return { error: typeof error }
  const frames =
    error.stack
      ?.split(error.message)
      .at(-1)
      ?.match(/^ {4}at .*$/gm) ?? []
  return { error: error.name, at: frames.slice(0, 4).map((frame) => frame.trim()) }
}
