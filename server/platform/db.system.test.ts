import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../test/support/programs/slipway-process.ts'
import { connectDatabase, assertDatabaseReachable } from './db.ts'
import { createLog } from './log.ts'

async function reachAt(connectionString: string) {
  const { pool } = connectDatabase({ connectionString }, createLog('silent'))
  onTestFinished(() => pool.end())
  return assertDatabaseReachable(pool).catch((error: unknown) =>
    error instanceof Error ? error.message : error,
  )
}

test('names an unreachable database without user and password', async () => {
  const port = await freePort()
  for (const host of ['127.0.0.1', 'localhost'])
    expect(await reachAt(`postgres://ada:hidden@${host}:${port}/slipway`)).toBe(
      `Cannot reach the database at ${host}:${port} (ECONNREFUSED). Check DATABASE_URL.`,
    )
  expect(await reachAt('postgres://ada:hidden@%2Fnowhere/slipway')).toBe(
    'Cannot reach the database at /nowhere:5432 (ENOENT). Check DATABASE_URL.',
  )
})
