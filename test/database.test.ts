import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from './support/run/database.ts'

const one = await createTestDatabase()
const other = await createTestDatabase()
afterAll(() => Promise.all([one.drop(), other.drop()]))

test('migrates a test database and isolates it from others', async () => {
  await one.db.insertInto('instance').values({ name: 'is', value: 'here' }).execute()
  expect(await one.db.selectFrom('instance').selectAll().execute()).toEqual([{ name: 'is', value: 'here' }])
  expect(await other.db.selectFrom('instance').selectAll().execute()).toEqual([])
})
