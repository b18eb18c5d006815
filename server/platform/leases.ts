import { type QueryExecutorProvider, sql } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import type { Lane } from './jobs.ts'
import { JobStopped } from './jobs.ts'

/** A worker without a heartbeat for this long is dead. Together with `POLL_SECONDS`, recovery stays below 15 seconds. */
export const LEASE_SECONDS = 8
export const POLL_SECONDS = 5
/** A job that has lost this many workers is a poison job: it probably kills them. */
const MAX_LOSSES = 10

export interface Lease {
  id: Id<'job'>
  fence: number
}

export interface ClaimedJob extends Lease {
  kind: string
  payload_sealed: string
  lane: Lane
  attempts: number
  failures: number
  cancel_requested: boolean
}

/** Claims due jobs. The SQL function locks them with SKIP LOCKED. */
export async function claimJobs(
  db: QueryExecutorProvider,
  worker: string,
  claim: { lane: Lane; kinds: string[]; most: number },
): Promise<ClaimedJob[]> {
  const { lane, kinds, most } = claim
  const { rows } = await sql<ClaimedJob>`
    select id, fence, kind, payload_sealed, lane, attempts, failures, cancel_requested
    from claim_jobs(${worker}, ${LEASE_SECONDS}, ${lane}, ${kinds}, ${most})`.execute(db)
  return rows
}

/** Sends the heartbeat of a worker: extends the leases of its jobs and returns them. */
export async function renewLeases(
  db: QueryExecutorProvider,
  worker: string,
): Promise<(Lease & { cancel_requested: boolean })[]> {
  const { rows } = await sql<Lease & { cancel_requested: boolean }>`
    select * from beat_worker(${worker}, ${LEASE_SECONDS})`.execute(db)
  return rows
}

export type LeaseOutcome =
  | { state: 'done' | 'cancelled' }
  | { state: 'failed'; errorSealed: string }
  | { state: 'queued'; errorSealed?: string; delay?: number }

export async function endLease(
  db: QueryExecutorProvider,
  lease: Lease,
  ending: LeaseOutcome,
): Promise<boolean> {
  const error = 'errorSealed' in ending ? ending.errorSealed : null
  const delay = 'delay' in ending ? ending.delay : 0
  const { numAffectedRows } = await sql`
    update jobs set
      state = ${ending.state},
      worker = null,
      finished_at = case when ${ending.state} <> 'queued' then now() end,
      run_at = now() + make_interval(secs => ${delay}),
      failures = failures + ${error === null ? 0 : 1},
      error_sealed = coalesce(${error}, error_sealed)
    where id = ${lease.id} and fence = ${lease.fence} and state = 'running'`.execute(db)
  return numAffectedRows === 1n
}

/** Throws unless the lease is held, and locks it until the transaction ends. */
export async function assertLease(trx: QueryExecutorProvider, { id, fence }: Lease): Promise<void> {
  const { rows } = await sql`
    select 1 from jobs where id = ${id} and fence = ${fence} and state = 'running' for share`.execute(trx)
  if (rows.length === 0) throw new JobStopped('lease_lost')
}

/**
 * Releases the jobs of dead workers. The rows of the job and the worker are locked, so that a late heartbeat comes
 * either before or after.
 */
export async function releaseExpiredLeases(
  db: QueryExecutorProvider,
): Promise<{ id: Id<'job'>; kind: string; state: string }[]> {
  const { rows } = await sql<{ id: Id<'job'>; kind: string; state: string }>`
    with lapsed as (
      select j.id from jobs j join workers w on w.id = j.worker
      where j.state = 'running' and w.alive_until < now()
      for update of j, w skip locked
    )
    update jobs set
      state = case when losses + 1 < ${MAX_LOSSES} then 'queued' else 'failed' end,
      finished_at = case when losses + 1 < ${MAX_LOSSES} then null else now() end,
      losses = losses + 1,
      worker = null
    where id in (select id from lapsed) returning id, kind, state`.execute(db)
  return rows
}

export async function millisecondsUntilExpiry(db: QueryExecutorProvider): Promise<number | null> {
  const { rows } = await sql<{ delay: number | null }>`
    select ceil(extract(epoch from min(w.alive_until) - now()) * 1000)::integer + 1 as delay
    from workers w
    where w.alive_until > now() and exists (select from jobs where state = 'running' and worker = w.id)`.execute(
    db,
  )
  return rows[0]?.delay ?? null
}

export async function listDueLanes(
  db: QueryExecutorProvider,
  kinds: string[],
): Promise<{ lane: Lane; delay: number }[]> {
  const { rows } = await sql<{ lane: Lane; delay: number }>`
    select lane, greatest(0, ceil(extract(epoch from min(run_at) - now()) * 1000))::integer as delay
    from jobs
    where state = 'queued' and kind = any (${kinds}) and run_at < now() + make_interval(secs => ${POLL_SECONDS})
    group by lane`.execute(db)
  return rows
}

export async function removeWorker(db: QueryExecutorProvider, worker: string): Promise<void> {
  await sql`
    delete from workers w where id = ${worker}
      and not exists (select from jobs where state = 'running' and worker = w.id)`.execute(db)
}
