import { type QueryExecutorProvider, sql } from 'kysely'
import { newId } from './ids.ts'
import { jobColumns, type NewJob, jobValues } from './jobs.ts'
import type { Secrets } from './secrets.ts'

export interface Schedule {
  name: string
  everySeconds: number
  /** The job also runs at each start of a process, for events that were missed. */
  atStart?: boolean
  job: NewJob
}

/**
 * Creates or updates a schedule. A new schedule is due immediately, and one with a shorter interval does not wait for
 * its old time.
 */
export async function upsertSchedule(
  db: QueryExecutorProvider,
  { name, everySeconds, atStart = false }: Schedule,
): Promise<void> {
  await sql`
    insert into schedules as s (name, every_seconds, due_at) values (${name}, ${everySeconds}, now())
    on conflict (name) do update set
      every_seconds = excluded.every_seconds,
      due_at = least(s.due_at, now() + make_interval(secs => case when ${atStart} then 0 else excluded.every_seconds end))
    where ${atStart} or s.every_seconds <> excluded.every_seconds`.execute(db)
}

export async function millisecondsUntilDue(db: QueryExecutorProvider, names: string[]): Promise<number> {
  const { rows } = await sql<{ delay: number | null }>`
    select (extract(epoch from min(due_at) - now()) * 1000)::double precision as delay
    from schedules where name = any (${names})`.execute(db)
  return rows[0]?.delay ?? 0
}

/**
 * Enqueues a due job once for all processes. Instead of a leader election, a single statement locks the row, so that
 * a frozen process does not block others. Missed runs are not repeated.
 */
export async function enqueueIfDue(
  secrets: Secrets,
  db: QueryExecutorProvider,
  { name, job }: Schedule,
): Promise<void> {
  const key = job.key ?? `schedule:${name}`
  await sql`
    with due as (
      select name, due_at from schedules where name = ${name} and due_at <= now() for update skip locked
    ), moved as (
      update schedules s set due_at = due.due_at + make_interval(secs =>
        every_seconds * (1 + floor(extract(epoch from now() - due.due_at)::double precision / every_seconds)))
      from due where s.name = due.name
      returning s.name
    )
    insert into jobs ${jobColumns}
    select ${jobValues(secrets, newId('job'), { ...job, key })} from moved
    where not exists (select from jobs where key = ${key} and state in ('queued', 'running'))`.execute(db)
}

export async function deleteFinishedJobs(db: QueryExecutorProvider): Promise<void> {
  await sql`
    delete from jobs where finished_at < now() - interval '1 day'
      and (state <> 'failed' or finished_at < now() - interval '14 days')`.execute(db)
  await sql`
    delete from workers w where alive_until < now() - interval '1 hour'
      and not exists (select from jobs where state = 'running' and worker = w.id)`.execute(db)
}
