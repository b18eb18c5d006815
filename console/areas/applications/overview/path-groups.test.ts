import { expect, test } from 'vitest'
import type { ApplicationContainer, ApplicationVolume } from '../queries.ts'
import { groupContainers } from './path-groups.ts'

const container = (name: string, given: Partial<ApplicationContainer> = {}): ApplicationContainer => ({
  id: name,
  name,
  image: 'shop:1',
  image_id: 'sha256:0',
  state: 'running',
  health: null,
  exit_code: null,
  restarts: 0,
  ports: [],
  project: null,
  service: null,
  created_at: '2026-03-01T12:00:00Z',
  started_at: '2026-03-01T12:00:00Z',
  finished_at: null,
  cpu: null,
  memory_used: null,
  memory_limit: null,
  role: 'serving',
  release: 2,
  ...given,
})

const volume = (source: string, services: string[] | null): ApplicationVolume => ({
  id: `vol_${source}`,
  type: 'volume',
  source,
  name: source,
  target: '/data',
  services,
  size_bytes: null,
})

test('describes live containers, worst first, and leaves out those that drain', () => {
  const containers = [
    container('a', { health: 'healthy' }),
    container('b', { health: 'unhealthy' }),
    container('c', { role: 'draining', release: 1 }),
  ]
  const [group, ...others] = groupContainers(containers, [volume('data', null)], [''])
  expect(others).toEqual([])
  expect(group).toMatchObject({ tone: 'yellow', label: 'Unhealthy', health: '1 of 2 healthy', releases: [2] })
  expect(group?.volumes).toHaveLength(1)
})

test('groups services, routed ones first, with the storage that they use', () => {
  const containers = ['db', 'web', 'api'].map((service) => container(service, { service }))
  const groups = groupContainers(containers, [volume('data', ['db'])], ['web'])
  expect(groups.map(({ service, volumes }) => [service, volumes.length])).toEqual([
    ['web', 0],
    ['api', 0],
    ['db', 1],
  ])
})
