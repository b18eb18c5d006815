import { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/run/database.ts'
import { createLocks, type Locks } from './locks.ts'

const database = await createTestDatabase()
const other = new Pool(database.connection)
const [ours, theirs] = [createLocks(database.pool), createLocks(other)]
afterAll(async () => {
  ours.close()
  theirs.close()
  await other.end()
  await database.drop()
})

/** Work that continues until aborted. */
function held(locks: Locks, name: string) {
  let end = () => {}
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const over = locks.withLock(name, (signal) => {
    begin()
    return new Promise<void>((resolve, reject) => {
      end = resolve
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  })
  return { begun, over, end: () => end() }
}

test('runs one holder per name across processes', async () => {
  const first = held(ours, 'web-1')
  await first.begun
  const order: string[] = []
  const later = [
    ours.withLock('web-1', async () => void order.push('ours')),
    theirs.withLock('web-1', async () => void order.push('theirs')),
  ]
  await theirs.withLock('web-2', async () => void order.push('another'))
  await ours.withLock('web-2', async () => void order.push('another'))
  first.end()
  await first.over
  await Promise.all(later)
  expect(order.slice(0, 2)).toEqual(['another', 'another'])
  expect(order.slice(2).sort()).toEqual(['ours', 'theirs'])
})

test('admits the next after a failure', async () => {
  await expect(ours.withLock('x', () => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  expect(await theirs.withLock('x', async () => 'in')).toBe('in')
})

test('aborts the holder when the database is gone, and can be acquired again', async () => {
  const first = held(ours, 'y')
  await first.begun
  const lost = first.over.catch(String)
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'slipway locks' and datname = current_database()`,
  )
  expect(await lost).toMatch(/lock was lost/)
  expect(await ours.withLock('y', async () => 'in')).toBe('in')
})
