import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/support/run/database.ts'
import { temporaryFolder } from '../../test/support/programs/programs.ts'
import { connectDatabase } from './db.ts'
import { createLog } from './log.ts'
import { migrate } from './migrate.ts'

test('allows migrations to take longer than other statements', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  await database.pool.query('truncate migrations')
  const folder = await temporaryFolder()
  await writeFile(join(folder, '0001-slow.sql'), 'select pg_sleep(0.5)')
  const log = createLog('silent')
  const { pool } = connectDatabase(
    { ...database.connection, statement_timeout: 100, lock_timeout: 100, max: 1 },
    log,
  )
  onTestFinished(() => pool.end())
  const holder = await database.pool.connect()
  await holder.query('begin; lock table migrations')
  const migrated = migrate(pool, folder, log)
  await holder.query('select pg_sleep(0.3)')
  await holder.query('commit')
  holder.release()
  await migrated
  expect((await database.pool.query('select name from migrations')).rows).toEqual([{ name: '0001-slow.sql' }])
  await expect(pool.query('select pg_sleep(0.5)')).rejects.toThrow('statement timeout')
})
