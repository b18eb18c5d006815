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

/** Something that goes on until it is told to end. */
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

test('one at a time for a name, in this process and in all others; other names do not wait', async () => {
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

test('one that fails lets the next one in', async () => {
  await expect(ours.withLock('x', () => Promise.reject(new Error('No.')))).rejects.toThrow('No.')
  expect(await theirs.withLock('x', async () => 'in')).toBe('in')
})

test('whoever holds it is told when the database is gone, and it can be had again', async () => {
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
