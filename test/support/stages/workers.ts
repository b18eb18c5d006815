import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import { connectDatabase } from '../../../server/platform/db.ts'
import type { Job, NewJob } from '../../../server/platform/jobs.ts'
import { enqueue, findJob } from '../../../server/platform/jobs.ts'
import { connectBus } from '../../../server/platform/bus.ts'
import type { Log } from '../../../server/platform/log.ts'
import { createSecrets } from '../../../server/platform/secrets.ts'
import type { Db, Tables } from '../../../server/tables.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../../server/work/worker.ts'

export const secretKey = randomBytes(32)
export const secrets = createSecrets([secretKey])

export interface TestWorker extends Worker {
  /** Log lines. */
  lines: string[]
}

/** A worker with its own connections, like another process; ends with the test. */
export async function startTestWorker(
  connection: pg.PoolConfig,
  jobs: Job<undefined>[],
  options: Partial<WorkerOptions<undefined>> = {},
): Promise<TestWorker> {
  const lines: string[] = []
  const note = (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const { pool, db } = connectDatabase<Tables>({ max: 4, ...connection }, log)
  const bus = connectBus(connection, log)
  const worker = startWorker({ ctx: undefined, db, bus, secrets, jobs, schedules: [], log, ...options })
  let stopped: Promise<void> | undefined
  async function stopAll() {
    await worker.stop()
    await bus.close()
    await pool.end()
  }
  const stop = () => (stopped ??= stopAll())
  onTestFinished(stop)
  await bus.ready()
  return { lines, stop }
}

export const add = (db: Db, job: NewJob) => enqueue(secrets, db, job)

export async function stateOf(db: Db, id: Awaited<ReturnType<typeof add>>) {
  return (await findJob(secrets, db, id))?.state
}

/** Waits until no job of these kinds is queued or running. */
export async function allEnded(db: Db, kinds: string[], timeout = 60_000): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ left: number }>`
        select count(*)::integer as left from jobs
        where kind = any (${kinds}) and state in ('queued', 'running')`.execute(db)
      if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} jobs have not ended.`)
    },
    { timeout, interval: 20 },
  )
}
