import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/support/run/database.ts'
import { readPage } from './pagination.ts'

const { db, drop } = await createTestDatabase()
afterAll(drop)

const read = (from: ReturnType<typeof sql>, cursor?: string) =>
  readPage<{ id: string }>(db, { from, order: ['id'], direction: 'asc' }, { limit: 2, cursor })
const three = sql`select id from (values ('a'), ('b'), ('c')) as rows (id)`

test('returns the total on every page, even past the last row', async () => {
  const first = await read(three)
  expect(first).toMatchObject({ rows: [{ id: 'a' }, { id: 'b' }], page: { total: 3 } })
  const second = await read(three, first.page.next ?? '')
  expect(second).toMatchObject({ rows: [{ id: 'c' }], page: { next: null, total: 3 } })
  const past = Buffer.from('["c"]').toString('base64url')
  expect(await read(three, past)).toEqual({ rows: [], page: { next: null, total: 3 } })
  expect(await read(sql`select 'a' as id where false`)).toEqual({ rows: [], page: { next: null, total: 0 } })
})
