import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '../../test/support/run/database.ts'
import { bundle, removeBundle, startProgram, temporaryFolder } from '../../test/support/programs/programs.ts'
import { add, allEnded, secretKey, startTestWorker, stateOf } from '../../test/support/stages/workers.ts'
import { connectDatabase } from '../platform/db.ts'
import { defineJob } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { startPostgres } from '../platform/postgres/embedded.ts'
import type { Tables } from '../tables.ts'
import { longTest } from '../../test/support/run/campaign.ts'

describe('a lost worker process', () => {
  let program = ''
  beforeAll(async () => void (program = await bundle('server/work/fixtures/holder.mjs')))
  afterAll(() => removeBundle(program))

  test('is replaced within 15 s, and fenced off when it returns', async () => {
    const { connection, db, drop } = await createTestDatabase()
    onTestFinished(drop)
    const kinds = ['killed', 'frozen']
    const holders = kinds.map((kind) =>
      startProgram(program, [JSON.stringify({ connection, kind, key: secretKey.toString('base64') })]),
    )
    const [killed, frozen] = holders
    const ids = await Promise.all(kinds.map((kind) => add(db, { kind, payload: null, attempts: 1 })))
    await Promise.all(holders.map((holder) => holder.line(/started with lease 1/)))

    // The job runs longer than a lease, so heartbeats must renew it.
    const leases: number[] = []
    const kept = defineJob('kept', z.null(), async (_: undefined, __, { fence, signal }) => {
      leases.push(fence)
      await sleep(60_000, undefined, { signal })
    })
    await startTestWorker(connection, [kept])
    await add(db, { kind: 'kept', payload: null })
    await vi.waitFor(() => expect(leases).toEqual([1]))
    const begun = performance.now()

    const taken = new Map<string, { fence: number; after: number }>()
    let gone = 0
    const takeOver = kinds.map((kind) =>
      defineJob(kind, z.null(), async (_: undefined, __, { fence }) => {
        taken.set(kind, { fence, after: performance.now() - gone })
      }),
    )
    await startTestWorker(connection, [...takeOver, kept])
    gone = performance.now()
    frozen?.process.kill('SIGSTOP')
    await killed?.end('SIGKILL')
    await vi.waitFor(() => expect(taken.size).toBe(2), { interval: 50 })
    for (const { fence, after } of taken.values()) {
      expect(fence).toBe(2)
      // On a busy machine, recovery may take twice as long.
      expect(after).toBeLessThan(30_000)
    }
    frozen?.process.kill('SIGCONT')
    await frozen?.line(/stopped: lease_lost/)
    await frozen?.line(/refused/)
    for (const id of ids) expect(await stateOf(db, id)).toBe('done')
    await sleep(9_000 - (performance.now() - begun))
    expect(leases).toEqual([1])
  })
})

longTest('loses nothing when the database restarts during a job', async () => {
  const dataDir = await temporaryFolder()
  const log = createLog('error')
  const postgres = await startPostgres({ dataDir, log })
  const { connection } = postgres
  const { pool, db } = connectDatabase<Tables>(connection, log)
  onTestFinished(async () => {
    await pool.end()
    await postgres.stop()
  })
  await migrate(pool, join(import.meta.dirname, '../migrations'), log)

  const ran = new Map<number, number>()
  const atWork = new Set<number>()
  let overlaps = 0
  const steady = defineJob('steady', z.object({ n: z.number() }), async (_: undefined, { n }) => {
    if (atWork.has(n % 4)) overlaps++
    atWork.add(n % 4)
    await sleep(20)
    atWork.delete(n % 4)
    ran.set(n, (ran.get(n) ?? 0) + 1)
  })
  await Promise.all([startTestWorker(connection, [steady]), startTestWorker(connection, [steady])])

  const acknowledged: number[] = []
  async function enqueueMany() {
    for (let n = 0; n < 100; n++) {
      await add(db, { kind: 'steady', payload: { n }, key: `key ${n % 4}` })
        .then(() => acknowledged.push(n))
        .catch(() => sleep(50))
      await sleep(10)
    }
  }
  async function kill() {
    await sleep(500)
    const words = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
    process.kill(Number.parseInt(words, 10), 'SIGKILL')
  }
  await Promise.all([enqueueMany(), kill()])
  await vi.waitFor(() => expect(postgres.status()).toEqual({ ok: true }))
  await allEnded(db, ['steady'], 20_000)
  expect(acknowledged.length).toBeGreaterThan(20)
  expect(acknowledged.filter((n) => !ran.has(n))).toEqual([])
  expect(overlaps).toBe(0)
})
