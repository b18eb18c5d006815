import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../../test/support/run/database.ts'
import { startTestWorker } from '../../test/support/stages/workers.ts'
import { defineJob } from '../platform/jobs.ts'
import { deleteFinishedJobs, type Schedule } from '../platform/schedules.ts'

const { connection, db, drop } = await createTestDatabase()
afterAll(drop)

function ticking(kind: string, work: () => Promise<unknown> = async () => {}) {
  const times: number[] = []
  const job = defineJob(kind, z.null(), async () => {
    times.push(performance.now())
    await work()
  })
  const schedule: Schedule = { name: kind, everySeconds: 1, job: { kind, payload: null, lane: 'poll' } }
  return { times, job, schedule }
}

test('runs a schedule once each time with three workers', async () => {
  const { times, job, schedule } = ticking('tick')
  const first = new Date()
  await db.insertInto('schedules').values({ name: 'tick', every_seconds: 1, due_at: first }).execute()
  await Promise.all([1, 2, 3].map(() => startTestWorker(connection, [job], { schedules: [schedule] })))
  await vi.waitFor(() => expect(times.length).toBeGreaterThanOrEqual(4))
  const made = await db.selectFrom('jobs').select('created_at').where('kind', '=', 'tick').execute()
  const turns = made.map(({ created_at: at }) => Math.floor((at.getTime() - first.getTime()) / 1_000))
  expect(turns.length).toBeGreaterThanOrEqual(4)
  expect(new Set(turns).size).toBe(turns.length)
})

test('runs a start-up schedule whenever a process starts', async () => {
  const { times, job, schedule } = ticking('start tick')
  const hourly = { ...schedule, everySeconds: 3_600 }
  const later = new Date(Date.now() + 1_800_000)
  await db
    .insertInto('schedules')
    .values({ name: 'start tick', every_seconds: 3_600, due_at: later })
    .execute()
  await startTestWorker(connection, [job], { schedules: [{ ...hourly, atStart: true }] })
  await expect.poll(() => times.length).toBe(1)
})

test('neither overlaps runs nor repeats missed ones', async () => {
  let running = 0
  let most = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const { times, job, schedule } = ticking('slow tick', async () => {
    most = Math.max(most, ++running)
    // The second run lasts until the jobs are counted.
    await (times.length < 2 ? sleep(1_300) : released)
    running--
  })
  const late = new Date(Date.now() - 3_600_000)
  await db.insertInto('schedules').values({ name: 'slow tick', every_seconds: 1, due_at: late }).execute()
  await startTestWorker(connection, [job], { schedules: [schedule] })
  await vi.waitFor(() => expect(times).toHaveLength(2))
  const made = await db.selectFrom('jobs').select('id').where('kind', '=', 'slow tick').execute()
  expect(made).toHaveLength(2)
  expect(most).toBe(1)
  release()
})

test('deletes finished jobs, failed ones later', async () => {
  const { job } = ticking('other')
  const old = await startTestWorker(connection, [job])
  await sql`
    insert into jobs (id, kind, payload_sealed, lane, attempts, state, finished_at)
    select state || days, 'old', '', 'default', 1, state, now() - make_interval(days => days)
    from unnest(array['done', 'cancelled', 'failed']) as state, unnest(array[0, 2, 20]) as days`.execute(db)
  await old.stop()
  await deleteFinishedJobs(db)
  const left = await db.selectFrom('jobs').select('id').where('kind', '=', 'old').orderBy('id').execute()
  expect(left.map(({ id }) => id)).toEqual(['cancelled0', 'done0', 'failed0', 'failed2'])
  const own = () => db.selectFrom('jobs').select('state').where('kind', '=', 'forget-finished-jobs').execute()
  await vi.waitFor(async () => expect(await own()).toEqual([{ state: 'done' }]))
})
