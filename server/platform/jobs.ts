import { type QueryExecutorProvider, sql, type Transaction } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../contract/shared/ids.ts'
import { exponentialBackoff } from '../../contract/shared/backoff.ts'
import { newId } from './ids.ts'
import type { Secrets } from './secrets.ts'

/**
 * Concurrent jobs per process and lane. Lanes are independent, so polling cannot delay a deployment. Jobs mostly wait
 * for servers and hold no database connection meanwhile, so there are more jobs than connections.
 */
export const lanes = {
  deploy: 32,
  build: 32,
  drain: 50,
  proxy: 8,
  default: 8,
  webhooks: 16,
  pull: 8,
  poll: 4,
  notify: 64,
  alerts: 1,
  // A creation waits until the server has started and called Slipway. Deletions must not queue behind creations.
  creations: 64,
  clouds: 64,
  // Certificate orders wait for DNS and the certificate authority.
  certificates: 32,
}
export type Lane = keyof typeof lanes

export interface NewJob {
  kind: string
  payload: unknown
  key?: string | undefined
  group?: { name: string; limit: number } | undefined
  lane?: Lane | undefined
  runAt?: Date | undefined
  delay?: number | undefined
  attempts?: number | undefined
}

export interface JobRun {
  id: Id<'job'>
  attempt: number
  /** The fence number increases with every lease. Above 1, an earlier run may have started. */
  fence: number
  /**
   * Aborted with `JobStopped` when the job is canceled, the lease is lost or the process shuts down. The signal can be
   * aborted from the start.
   */
  signal: AbortSignal
  /** Throws when another worker has taken the job. Until the transaction ends, no other worker can take it. */
  assertLease<T>(trx: Transaction<T>): Promise<void>
}

/** A kind of background job. Jobs run at least once, so handlers must be idempotent. */
export interface Job<Ctx> {
  kind: string
  handle: (ctx: Ctx, payload: unknown, run: JobRun) => Promise<void>
}

export function defineJob<Ctx, S extends z.ZodType>(
  kind: string,
  schema: S,
  handler: (ctx: Ctx, payload: z.output<S>, run: JobRun) => Promise<void>,
): Job<Ctx> {
  return {
    kind,
    async handle(ctx, payload, run) {
      const read = schema.safeParse(payload)
      if (!read.success) throw new PermanentFailure(`Invalid job payload: ${read.error.message}`)
      await handler(ctx, read.data, run)
    },
  }
}

/**
 * Seconds until a failed job is retried. `work/running-jobs.ts` retries it, up to its number of attempts;
 * `releaseExpiredLeases` in `leases.ts` gives the jobs of a crashed worker to others.
 */
export const jobRetryDelay = (failures: number, jitter: number) =>
  exponentialBackoff(failures, 1, 600, jitter)

/** Thrown by jobs that would fail again if they were retried. */
export class PermanentFailure extends Error {}

export class JobStopped extends Error {
  readonly reason: 'cancelled' | 'lease_lost' | 'shutting_down'

  constructor(reason: JobStopped['reason']) {
    super(`The job was stopped: ${reason}.`)
    this.reason = reason
  }
}

export async function enqueue(secrets: Secrets, trx: QueryExecutorProvider, job: NewJob): Promise<Id<'job'>> {
  const id = newId('job')
  await sql`insert into jobs ${jobColumns} values (${jobValues(secrets, id, job)})`.execute(trx)
  return id
}

export const jobColumns = sql`(id, kind, payload_sealed, lane, key, group_name, group_limit, attempts, run_at)`

export const jobValues = (secrets: Secrets, id: Id<'job'>, job: NewJob) =>
  sql.join([
    id,
    job.kind,
    secrets.seal(jobPayloadLocation(id), JSON.stringify(job.payload ?? null)),
    job.lane ?? 'default',
    job.key ?? null,
    job.group?.name ?? null,
    sql`${job.group?.limit ?? null}::integer`,
    sql`${job.attempts ?? 10}::integer`,
    sql`coalesce(${job.runAt ?? null}::timestamptz, now() + make_interval(secs => ${(job.delay ?? 0) / 1_000}))`,
  ])

/**
 * Cancels a job. A job that never started is canceled immediately; a running job is notified through its signal, so
 * that it can undo its work.
 */
export async function cancelJob(
  trx: QueryExecutorProvider,
  id: Id<'job'>,
): Promise<'cancelled' | 'cancelling' | undefined> {
  const { rows } = await sql<{ state: string }>`
    update jobs set
      cancel_requested = true,
      state = case when state = 'queued' and fence = failures then 'cancelled' else state end,
      finished_at = case when state = 'queued' and fence = failures then now() end,
      run_at = case when state = 'queued' then now() else run_at end
    where id = ${id} and state in ('queued', 'running')
    returning state`.execute(trx)
  if (!rows[0]) return undefined
  return rows[0].state === 'cancelled' ? 'cancelled' : 'cancelling'
}

export async function cancelJobsByKey(trx: QueryExecutorProvider, key: string): Promise<void> {
  const { rows } = await sql<{ id: Id<'job'> }>`
    select id from jobs where key = ${key} and state in ('queued', 'running')`.execute(trx)
  for (const { id } of rows) await cancelJob(trx, id)
}

/**
 * Finishes the queued jobs with the same key, for a job that handles all pending work. Call this before reading the
 * work, so that the work of those jobs is included.
 */
export async function finishQueuedDuplicates(
  trx: QueryExecutorProvider,
  run: Pick<JobRun, 'id'>,
): Promise<void> {
  await sql`
    update jobs set state = 'done', finished_at = now()
    where state = 'queued' and id <> ${run.id}
      and key = (select key from jobs where id = ${run.id})`.execute(trx)
}

export interface JobState {
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  failures: number
  error: string | undefined
}

export async function findJob(
  secrets: Secrets,
  db: QueryExecutorProvider,
  id: Id<'job'>,
): Promise<JobState | undefined> {
  const { rows } = await sql<Omit<JobState, 'error'> & { error_sealed: string | null }>`
    select state, failures, error_sealed from jobs where id = ${id}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  const { error_sealed: sealed, ...fields } = row
  const died = fields.state === 'failed' ? 'The job failed: every worker that ran it crashed.' : undefined
  return { ...fields, error: sealed ? secrets.open(jobErrorLocation(id), sealed) : died }
}

/** Payloads and errors are sealed, because they can contain secrets, such as the links in emails. */
export const jobPayloadLocation = (id: string) => `jobs.payload:${id}`
export const jobErrorLocation = (id: string) => `jobs.error:${id}`
