import { describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import type { CloudServer } from '../providers/provider.ts'
import { compareWithProvider } from './drift.ts'
import type { CloudServerRow } from './store.ts'

const at = new Date('2026-11-16T12:00:00Z')
const known = { address: '203.0.113.1', type: 'cx23', region: 'fsn1' }
const row: CloudServerRow = {
  server_id: newId('server'),
  workspace_id: newId('workspace'),
  cloud_token_id: newId('cloudToken'),
  provider: 'hetzner',
  origin: 'created',
  cloud_id: '42',
  cloud_key_id: null,
  image: 'debian-12',
  image_name: 'Debian 12',
  step: null,
  asked_at: null,
  made_at: null,
  waited_seconds: 0,
  price_monthly: 4.51,
  currency: 'EUR',
  status: 'running',
  address: '203.0.113.1',
  moved_from: null,
  seen_at: null,
  resized_from: null,
  resized_at: null,
  duplicates: [],
  created_at: at,
}
const there: CloudServer = {
  id: '42',
  name: 'web-1',
  status: 'running',
  address: '203.0.113.1',
  region: 'fsn1',
  type: 'cx23',
  image: 'debian-12',
  price: { monthly: 5, hourly: null, taxed: true, currency: 'EUR' },
  created_at: at,
  serverId: row.server_id,
}

const see = (
  found: Partial<CloudServer> | undefined,
  before: Partial<CloudServerRow> = {},
  server: Partial<typeof known> = {},
  duplicates: string[] = [],
) =>
  compareWithProvider(
    { ...known, ...server },
    { ...row, ...before },
    { found: found && { ...there, ...found }, duplicates, at },
  )

test('reports only a new price for an unchanged server', () => {
  const { cloud, sentences } = see({})
  expect(cloud).toMatchObject({ seen_at: at, price_monthly: 5, moved_from: null })
  expect(cloud).not.toHaveProperty('resized_at')
  expect(sentences).toEqual([])
})

test('keeps values that the provider does not report', () => {
  const { cloud, server } = see({ price: null, type: null, region: null })
  expect(cloud).not.toHaveProperty('price_monthly')
  expect(server).toEqual(known)
})

describe('a moved server', () => {
  const moved = (now: string | null, before: Partial<CloudServerRow>, used = known.address) => {
    const { cloud, sentences } = see({ address: now }, before, { address: used })
    return [cloud.moved_from, sentences.length]
  }

  test('stays reported as moved until its address is updated', () => {
    const [a, b, c] = [known.address, '203.0.113.2', '203.0.113.3']
    expect(moved(b, {})).toEqual([a, 1])
    expect(moved(b, { address: b, moved_from: a })).toEqual([a, 0])
    expect(moved(c, { address: b, moved_from: a })).toEqual([a, 1])
    expect(moved(a, { address: b, moved_from: a })).toEqual([null, 1])
    expect(moved(b, { address: b, moved_from: a }, b)).toEqual([null, 0])
    expect(moved(null, {})).toEqual([a, 1])
  })

  test('is not reported if the server uses another address', () => {
    expect(moved('203.0.113.2', {}, 'web.example.com')).toEqual([null, 1])
    expect(moved('203.0.113.2', { address: '203.0.113.2' }, '10.0.0.7')).toEqual([null, 0])
  })
})

test.each([
  [
    { status: 'stopped' as const },
    { status: 'running' as const },
    ['The server was powered off at Hetzner.'],
  ],
  [{ status: 'stopped' as const }, { status: 'stopped' as const }, []],
  [{ status: 'running' as const }, { status: 'stopped' as const }, ['The server was powered on at Hetzner.']],
  [{ status: 'starting' as const }, { status: 'running' as const }, []],
  [{ status: 'running' as const }, { status: 'deleted' as const }, ['The server exists at Hetzner again.']],
  [undefined, { status: 'running' as const }, ['The server was deleted at Hetzner.']],
  [undefined, { status: 'deleted' as const }, []],
  [{ status: 'deleted' as const }, { status: 'running' as const }, ['The server was deleted at Hetzner.']],
])('%j after %j is reported as %j', (found, before, sentences) => {
  expect(see(found, before).sentences).toEqual(sentences)
})

test('reports only new duplicates', () => {
  const { cloud, sentences } = see({}, { duplicates: ['43', '44'] }, {}, ['44', '45'])
  expect(cloud.duplicates).toEqual(['44', '45'])
  expect(sentences).toEqual(['Another server at Hetzner, 45, has the tag of this server and is billed too.'])
})
