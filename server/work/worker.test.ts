import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../../test/support/run/database.ts'
import { add, allEnded, secrets, startTestWorker, stateOf } from '../../test/support/stages/workers.ts'
import { cancelJob, defineJob, findJob, PermanentFailure, type JobRun, JobStopped } from '../platform/jobs.ts'

const { connection, db, drop } = await createTestDatabase()
afterAll(drop)

const payload = z.object({ n: z.number() })
const job = (kind: string, handler: (given: { n: number }, run: JobRun) => Promise<void>) =>
  defineJob(kind, payload, (_: undefined, given, run) => handler(given, run))

const untilStopped = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })

/** Creates jobs that start without waiting for a poll. */
const withoutPolls = { pollSeconds: 600 }

describe('starting', () => {
  test('starts a job within 100 ms of the commit', async () => {
    const started = new Map<number, number>()
    const start = job('start', async ({ n }) => void started.set(n, performance.now()))
    await startTestWorker(connection, [start], withoutPolls)
    const waits: number[] = []
    for (let n = 0; n < 40; n++) {
      await db.transaction().execute(async (trx) => {
        await add(trx, { kind: 'start', payload: { n } })
        if (n % 10 === 0) await sleep(50)
        expect(started.has(n)).toBe(false)
      })
      const committed = performance.now()
      await vi.waitFor(() => expect(started.has(n)).toBe(true), { interval: 1 })
      waits.push((started.get(n) ?? 0) - committed)
    }
    // The fastest run counts, because the machine may be busy.
    expect(Math.min(...waits)).toBeLessThan(100)
  })

  test('never starts a job of a rolled-back transaction', async () => {
    let ran = 0
    await startTestWorker(connection, [job('rolled-back', async () => void ran++)])
    const undone = db.transaction().execute(async (trx) => {
      await add(trx, { kind: 'rolled-back', payload: { n: 1 } })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await add(db, { kind: 'rolled-back', payload: { n: 2 } })
    await allEnded(db, ['rolled-back'])
    expect(ran).toBe(1)
  })

  test('starts jobs of a dead worker before the next poll', async () => {
    const asked = performance.now()
    let waited = 0
    await sql`insert into workers values ('gone', now() + interval '1.5 seconds')`.execute(db)
    await db.transaction().execute(async (trx) => {
      const id = await add(trx, { kind: 'left', payload: { n: 1 } })
      await sql`update jobs set state = 'running', worker = 'gone', fence = 1 where id = ${id}`.execute(trx)
    })
    const left = job('left', async () => void (waited = performance.now() - asked))
    await startTestWorker(connection, [left], withoutPolls)
    await allEnded(db, ['left'])
    expect(waited).toBeGreaterThan(1_400)
  })

  test('starts a delayed job when it is due', async () => {
    const asked = performance.now()
    let waited = 0
    const later = job('later', async () => void (waited = performance.now() - asked))
    await startTestWorker(connection, [later], withoutPolls)
    await add(db, { kind: 'later', payload: { n: 1 }, runAt: new Date(Date.now() + 700) })
    await allEnded(db, ['later'])
    expect(waited).toBeGreaterThan(690)
  })

  test('runs earlier jobs and ignores unknown kinds', async () => {
    const id = await add(db, { kind: 'early', payload: { n: 1 } })
    const unknown = await add(db, { kind: 'of-a-newer-version', payload: { n: 1 } })
    await startTestWorker(connection, [job('early', async () => {})])
    await allEnded(db, ['early'])
    expect(await stateOf(db, id)).toBe('done')
    expect(await stateOf(db, unknown)).toBe('queued')
  })
})

describe('limits', () => {
  /** Counts concurrent runs by name. */
  function counter() {
    const now = new Map<string, number>()
    const most = new Map<string, number>()
    let ran = 0
    return {
      most,
      ran: () => ran,
      during: async (name: string, work: () => Promise<unknown>) => {
        ran++
        const count = (now.get(name) ?? 0) + 1
        now.set(name, count)
        most.set(name, Math.max(count, most.get(name) ?? 0))
        await work()
        now.set(name, (now.get(name) ?? 0) - 1)
      },
    }
  }

  test('runs one job per key at a time in order', async () => {
    const { during, most, ran } = counter()
    const order = new Map<number, number[]>()
    const keyed = job('keyed', ({ n }) =>
      during(`key ${n % 10}`, async () => {
        order.set(n % 10, [...(order.get(n % 10) ?? []), n])
        await sleep(5)
      }),
    )
    await Promise.all([1, 2, 3].map(() => startTestWorker(connection, [keyed])))
    await Promise.all(
      Array.from({ length: 10 }, async (_, key) => {
        for (let i = 0; i < 10; i++)
          await add(db, { kind: 'keyed', payload: { n: i * 10 + key }, key: `app ${key}` })
      }),
    )
    await allEnded(db, ['keyed'])
    expect(ran()).toBe(100)
    expect([...most.values()]).toEqual(Array(10).fill(1))
    for (const ns of order.values()) expect(ns).toEqual(ns.toSorted((a, b) => a - b))
  })

  test('limits a group across workers and lanes', async () => {
    const { during, most, ran } = counter()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const grouped = job('grouped', () => during('group', () => released.then(() => sleep(5))))
    await Promise.all([1, 2].map(() => startTestWorker(connection, [grouped])))
    const lane = ['default', 'deploy', 'poll'] as const
    for (let n = 0; n < 30; n++)
      await add(db, { kind: 'grouped', payload: { n }, group: { name: 'srv', limit: 3 }, lane: lane[n % 3] })
    await vi.waitFor(() => expect(most.get('group')).toBe(3))
    release()
    await allEnded(db, ['grouped'])
    expect(ran()).toBe(30)
    expect(most.get('group')).toBe(3)
  })

  test('does not delay a deployment by polling', async () => {
    const done: string[] = []
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await startTestWorker(connection, [
      job('poll', () => released),
      job('deploy', async () => void done.push('deploy')),
    ])
    for (let n = 0; n < 12; n++) await add(db, { kind: 'poll', payload: { n }, lane: 'poll' })
    await add(db, { kind: 'deploy', payload: { n: 1 }, lane: 'deploy' })
    await vi.waitFor(() => expect(done).toEqual(['deploy']), { interval: 2 })
    release()
    await allEnded(db, ['poll'])
  })
})

describe('outcomes', () => {
  test('retries a failed job with backoff and keeps its last error', async () => {
    const attempts: number[] = []
    const { lines } = await startTestWorker(connection, [
      job('failing', async (_, { attempt }) => {
        attempts.push(attempt)
        throw new Error(`no luck with hunter${attempt}`)
      }),
    ])
    const id = await add(db, { kind: 'failing', payload: { n: 1 }, attempts: 3 })
    await allEnded(db, ['failing'])
    expect(attempts).toEqual([1, 2, 3])
    expect(await findJob(secrets, db, id)).toEqual({
      state: 'failed',
      failures: 3,
      error: 'no luck with hunter3',
    })
    expect(lines.join('\n')).toContain('Failed to run a job')
    expect(lines.join('\n')).not.toContain('hunter')
  })

  test('does not retry a permanent failure or invalid payload', async () => {
    await startTestWorker(connection, [
      job('hopeless', async () => {
        throw new PermanentFailure('never')
      }),
    ])
    const hopeless = await add(db, { kind: 'hopeless', payload: { n: 1 } })
    const unfit = await add(db, { kind: 'hopeless', payload: { n: 'one' } })
    await allEnded(db, ['hopeless'])
    expect(await findJob(secrets, db, hopeless)).toEqual({ state: 'failed', failures: 1, error: 'never' })
    expect(await findJob(secrets, db, unfit)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Invalid job payload'),
    })
  })

  test('cancels a running job immediately, and never starts a waiting one', async () => {
    const stopped: unknown[] = []
    let started = 0
    await startTestWorker(connection, [
      job('long', async (_, { signal }) => {
        started++
        await untilStopped(signal).catch((reason: unknown) => {
          stopped.push(reason)
          throw reason
        })
      }),
    ])
    async function timeCancel(id: typeof running) {
      const [asked, before] = [performance.now(), stopped.length]
      expect(await cancelJob(db, id)).toBe('cancelling')
      await vi.waitFor(() => expect(stopped.length).toBe(before + 1), { interval: 2 })
      return performance.now() - asked
    }
    const running = await add(db, { kind: 'long', payload: { n: 1 }, key: 'one' })
    const waiting = await add(db, { kind: 'long', payload: { n: 2 }, key: 'one' })
    await vi.waitFor(() => expect(started).toBe(1))
    expect(await cancelJob(db, waiting)).toBe('cancelled')
    const waits = [await timeCancel(running)]
    await allEnded(db, ['long'])
    expect(await stateOf(db, running)).toBe('cancelled')
    expect(await stateOf(db, waiting)).toBe('cancelled')
    expect(await cancelJob(db, running)).toBeUndefined()
    expect(started).toBe(1)
    for (const n of [2, 3, 4, 5]) {
      const another = await add(db, { kind: 'long', payload: { n } })
      await vi.waitFor(() => expect(started).toBe(n))
      waits.push(await timeCancel(another))
    }
    expect(stopped).toEqual(waits.map(() => new JobStopped('cancelled')))
    // The fastest run counts, because the machine may be busy. It must end well before a heartbeat.
    expect(Math.min(...waits)).toBeLessThan(1_000)
  })

  test('releases running jobs on shutdown for other workers', async () => {
    const seen: string[] = []
    const kind = (where: string) =>
      job('moved', async (_, { signal, attempt, fence }) => {
        seen.push(`${where}, attempt ${attempt}, lease ${fence}`)
        if (where === 'first') await untilStopped(signal)
      })
    const first = await startTestWorker(connection, [kind('first')])
    const id = await add(db, { kind: 'moved', payload: { n: 1 }, attempts: 1 })
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await startTestWorker(connection, [kind('second')])
    await first.stop()
    await allEnded(db, ['moved'])
    // The job did not have to wait until its lease expired.
    expect(await db.selectFrom('jobs').select('losses').where('id', '=', id).execute()).toEqual([
      { losses: 0 },
    ])
    expect(seen).toEqual(['first, attempt 1, lease 1', 'second, attempt 1, lease 2'])
    expect(await stateOf(db, id)).toBe('done')
  })

  test('fences off a job that ignores the stop', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const refused: unknown[] = []
    const stubborn = job('stubborn', async (_, run) => {
      await db.transaction().execute((trx) => run.assertLease(trx))
      await held
      await db
        .transaction()
        .execute((trx) => run.assertLease(trx))
        .catch((error: unknown) => refused.push(error))
    })
    const first = await startTestWorker(connection, [stubborn], { shutdownTimeout: 300 })
    const id = await add(db, { kind: 'stubborn', payload: { n: 1 } })
    await vi.waitFor(async () => expect(await stateOf(db, id)).toBe('running'))
    await first.stop()
    expect(await stateOf(db, id)).toBe('queued')
    release()
    await vi.waitFor(() => expect(refused).toEqual([new JobStopped('lease_lost')]))
    expect(await stateOf(db, id)).toBe('queued')
    await cancelJob(db, id)
  })

  test('runs an interrupted and then canceled job again, with an aborted signal, to clean up', async () => {
    const first = await startTestWorker(connection, [job('half', (_, { signal }) => untilStopped(signal))])
    const id = await add(db, { kind: 'half', payload: { n: 1 } })
    await vi.waitFor(async () => expect(await stateOf(db, id)).toBe('running'))
    await first.stop()
    expect(await cancelJob(db, id)).toBe('cancelling')
    const reasons: unknown[] = []
    const undo = job('half', async (_, { signal }) => {
      reasons.push(signal.reason)
      signal.throwIfAborted()
    })
    await startTestWorker(connection, [undo])
    await allEnded(db, ['half'])
    expect(reasons).toEqual([new JobStopped('cancelled')])
    expect(await stateOf(db, id)).toBe('cancelled')
  })

  test('fails a job after ten lost workers', async () => {
    await db
      .insertInto('workers')
      .values({ id: 'dead', alive_until: new Date(0) })
      .execute()
    const ids = await Promise.all([8, 9].map(() => add(db, { kind: 'deadly', payload: { n: 1 } })))
    for (const [i, losses] of [8, 9].entries())
      await db
        .updateTable('jobs')
        .set({ state: 'running', worker: 'dead', fence: losses + 1, losses })
        .where('id', '=', ids[i] ?? 'job_')
        .execute()
    let ran = 0
    await startTestWorker(connection, [job('deadly', async () => void ran++)])
    await allEnded(db, ['deadly'])
    const states = await Promise.all(ids.map((id) => findJob(secrets, db, id)))
    expect(states).toMatchObject([
      { state: 'done' },
      { state: 'failed', error: 'The job failed: every worker that ran it crashed.' },
    ])
    expect(ran).toBe(1)
  })
})

test('keeps payloads unreadable in the table and log', async () => {
  const { lines } = await startTestWorker(connection, [
    defineJob('secret', z.object({ link: z.string() }), async (_: undefined, { link }) => {
      throw new PermanentFailure(`cannot send ${link}`)
    }),
  ])
  const link = 'https://slipway.example/reset?token=hunter2'
  const id = await add(db, { kind: 'secret', payload: { link } })
  await allEnded(db, ['secret'])
  expect((await findJob(secrets, db, id))?.error).toBe(`cannot send ${link}`)
  const { rows } = await sql`select jobs::text as row from jobs where id = ${id}`.execute(db)
  expect(JSON.stringify(rows)).toContain('secret')
  expect(JSON.stringify(rows) + lines.join('\n')).not.toMatch(/hunter|example/)
})
