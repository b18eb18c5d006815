import { expect, test } from 'vitest'
import { searchTargets, registryPrefix } from './search-targets.ts'
import type { Registry } from './queries.ts'

const made = (id: string, host: string, scope = ''): Registry => ({
  id: `reg_${id}`,
  name: id,
  kind: 'other',
  host,
  scope,
  username: 'Ada',
  error: null,
  checked_at: null,
  created_at: '2025-01-01T00:00:00.000Z',
})
const ours = made('ours', 'registry.example:5000')
const hub = made('hub', 'docker.io')
const ghcr = made('ghcr', 'ghcr.io', 'acme')
const all = [ours, hub, ghcr]
const found = (typed: string) => searchTargets(typed, all).map(({ registry, q }) => [registry?.name ?? '', q])

test('returns the prefix of image names in a registry', () => {
  expect(all.map(registryPrefix)).toEqual(['registry.example:5000/', 'ada/', 'ghcr.io/acme/'])
  expect(registryPrefix(made('shop', 'docker.io', 'acme/shop'))).toBe('acme/')
})

test('searches all registries, or the one that matches the typed prefix', () => {
  expect(found('shop')).toEqual([
    ['', 'shop'],
    ['ours', 'shop'],
    ['hub', 'shop'],
    ['ghcr', 'shop'],
  ])
  expect(found('registry.example:5000/sh')).toEqual([['ours', 'sh']])
  expect(found('ada/sh')).toEqual([['hub', 'sh']])
  expect(found('ghcr.io/acme/')).toEqual([['ghcr', 'acme/']])
})

test('does not search names with a tag or of an unknown registry', () => {
  for (const typed of [
    '',
    'n',
    'nginx:',
    'nginx:1',
    'registry.example:5000/a:1',
    'quay.io/a/b',
    'a@sha256:1',
  ])
    expect([typed, found(typed)]).toEqual([typed, []])
})
