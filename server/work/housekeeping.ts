import type { QueryExecutorProvider } from 'kysely'
import type { Job } from '../platform/jobs.ts'
import { forgetFinished, type Schedule } from '../platform/schedules.ts'

/** The worker's own schedule: rows of jobs that ended do not pile up. */
export function housekeeping(db: QueryExecutorProvider): { job: Job<unknown>; schedule: Schedule } {
  const kind = 'forget-finished-jobs'
  return {
    job: { kind, handle: () => forgetFinished(db) },
    schedule: { name: kind, everySeconds: 3_600, job: { kind, payload: null, lane: 'poll' } },
  }
}
