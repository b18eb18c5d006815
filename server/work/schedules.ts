import type { QueryExecutorProvider } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../platform/log.ts'
import { enqueueIfDue, upsertSchedule, millisecondsUntilDue, type Schedule } from '../platform/schedules.ts'
import type { Secrets } from '../platform/secrets.ts'

interface Options {
  db: QueryExecutorProvider
  secrets: Secrets
  schedules: Schedule[]
  log: Log
}

const LONGEST_SLEEP = 60_000
const AFTER_TROUBLE = 2_000

/**
 * Enqueues scheduled background jobs, as cron does. Every worker runs this; the database decides which one enqueues a
 * job, so no leader election is needed.
 */
export function startSchedules({ db, secrets, schedules, log }: Options): { stop(): Promise<void> } {
  const names = schedules.map(({ name }) => name)
  const stopping = new AbortController()
  const running = keepTime()

  async function keepTime() {
    for (let known = false; !stopping.signal.aborted;) {
      let pause = AFTER_TROUBLE
      try {
        if (!known) for (const schedule of schedules) await upsertSchedule(db, schedule)
        known = true
        pause = await millisecondsUntilDue(db, names)
        if (pause <= 0) for (const schedule of schedules) await enqueueIfDue(secrets, db, schedule)
      } catch (error) {
        log.warn({ reason: String(error) }, 'Failed to read schedules; retrying')
      }
      await sleep(Math.min(Math.max(pause, 5), LONGEST_SLEEP), undefined, { signal: stopping.signal }).catch(
        () => {},
      )
    }
  }

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
