import { expect, it } from 'vitest'
import { matchesAccountServer, importObstacle } from './account-server-status.ts'
import type { AccountServer } from './queries.ts'

const running: AccountServer = {
  id: '1',
  name: 'db-1',
  status: 'running',
  address: '203.0.113.7',
  region: 'fsn1',
  type: 'cx22',
  image: 'Debian 12',
  price: null,
  created_at: null,
  server: null,
}

it.each<[Partial<AccountServer>, string | undefined]>([
  [{}, undefined],
  [{ status: 'unknown' }, undefined],
  [{ server: { id: 'srv_1', name: 'web' } }, 'Already imported'],
  [{ status: 'stopped' }, 'Powered off'],
  [{ address: null }, 'No public address'],
])('of one with %j it is said whether it can be picked: %s', (given, why) => {
  expect(importObstacle({ ...running, ...given })).toBe(why)
})

it('finds by what stands in the row', () => {
  expect(['DB', '113.7', 'FSN', 'cx22', 'debian', ''].every((q) => matchesAccountServer(running, q))).toBe(
    true,
  )
  expect(matchesAccountServer(running, 'web')).toBe(false)
  expect(matchesAccountServer({ ...running, server: { id: 'srv_1', name: 'web' } }, 'web')).toBe(true)
})
