import type { QueryExecutorProvider } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { exponentialBackoff } from '../platform/async.ts'
import { type Lane, JobStopped } from '../platform/jobs.ts'
import {
  type ClaimedJob,
  type LeaseOutcome,
  endLease,
  LEASE_SECONDS,
  type Lease,
} from '../platform/leases.ts'
import type { Log } from '../platform/log.ts'

interface Running {
  lease: ClaimedJob
  controller: AbortController
  /** The handler is through; what remains is to write down how it ended. */
  ending: boolean
  over: Promise<void>
}

/** The jobs that run in this process, each with its lease. */
export function createRunningJobs(db: QueryExecutorProvider, log: Log) {
  const runs = new Map<string, Running>()
  const abandoned = new AbortController()
  let confirmed = performance.now()

  /** Starts `work` under a lease. The place in the lane is free when `over` is called. */
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
    await writeDown(run.lease, ending)
    // One that did not heed the loss of its lease may have been followed by itself.
    if (runs.get(run.lease.id) === run) runs.delete(run.lease.id)
    over()
  }

  /** Tries until the database answers: what was done must not be done again for want of a note. */
  async function writeDown(lease: Lease, ending: LeaseOutcome) {
    for (let failures = 0; !abandoned.signal.aborted; failures++) {
      try {
        if (!(await endLease(db, lease, ending)))
          log.warn({ job: lease.id }, 'A job finished after its lease was lost; the result was not recorded')
        return
      } catch (error) {
        if (failures === 0)
          log.warn({ job: lease.id, reason: String(error) }, 'Cannot record the result of a job. Retrying.')
        const pause = exponentialBackoff(failures, 50, 1_000)
        await sleep(pause, undefined, { signal: abandoned.signal }).catch(() => {})
      }
    }
  }

  function stop(run: Running, why: JobStopped['reason']) {
    if (!run.ending) run.controller.abort(new JobStopped(why))
  }

  return {
    start,
    count: () => runs.size,
    countIn: (lane: Lane) => [...runs.values()].filter((run) => run.lease.lane === lane).length,
    cancel(id: string) {
      const run = runs.get(id)
      if (run) stop(run, 'cancelled')
    },
    stopAll(why: JobStopped['reason']) {
      for (const run of runs.values()) stop(run, why)
    },
    /** The database said so at `time` or later; the leases last from then. */
    confirm(time: number) {
      confirmed = time
    },
    /** Nobody may take our jobs while we go on with them: we stop before the lease does. */
    stopLapsed() {
      if (performance.now() - confirmed > LEASE_SECONDS * 1_000 - 500)
        for (const run of runs.values()) stop(run, 'lease_lost')
    },
    /** Holds what runs here against what the database says we hold, and tells which of that nobody here runs. */
    compare(held: (Lease & { cancel_requested: boolean })[], since: number): Lease[] {
      const byId = new Map(held.map((lease) => [lease.id, lease]))
      for (const run of runs.values()) {
        const found = byId.get(run.lease.id)
        if (found?.fence !== run.lease.fence) stop(run, 'lease_lost')
        else if (found.cancel_requested) stop(run, 'cancelled')
      }
      confirmed = since
      return held.filter(({ id, fence }) => runs.get(id)?.lease.fence !== fence)
    },
    /** Waits so long for the runs to end, then gives the leases of the others back all the same. */
    async drain(patience: number) {
      const all = [...runs.values()].map((run) => run.over)
      await Promise.race([Promise.all(all), sleep(patience, undefined, { ref: false })])
      abandoned.abort()
      const left = [...runs.values()].map((run) => endLease(db, run.lease, { state: 'queued' }))
      for (const result of await Promise.allSettled(left))
        if (result.status === 'rejected')
          log.warn({ reason: String(result.reason) }, 'Cannot release a lease; it will expire')
    },
  }
}
