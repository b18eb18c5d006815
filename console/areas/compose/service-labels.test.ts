import { expect, it } from 'vitest'
import type { Service } from './queries.ts'
import { servicePorts, formatPublishedPort, sumUsage } from './service-labels.ts'

const container = (given: Partial<Service['containers'][number]>): Service['containers'][number] => ({
  id: 'c1',
  name: 'shop-web-1',
  image: 'rig/app:1',
  image_id: 'sha256:0',
  state: 'running',
  health: null,
  exit_code: null,
  restarts: 0,
  ports: [],
  project: null,
  service: 'web',
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: null,
  finished_at: null,
  cpu: null,
  memory_used: null,
  memory_limit: null,
  ...given,
})

it('adds up known usage of containers', () => {
  const all = [container({ cpu: 0.5 }), container({ cpu: 0.25 }), container({})]
  expect(sumUsage(all, 'cpu')).toBe(0.75)
  expect(sumUsage(all, 'memory_used')).toBeNull()
})

it('lists ports of file and image once, without UDP', () => {
  const exposed = (port: number, protocol = 'tcp') => ({
    address: null,
    port: null,
    container_port: port,
    protocol,
  })
  const containers = [container({ ports: [exposed(80), exposed(443), exposed(53, 'udp')] })]
  expect(servicePorts({ ports: [{ host: '', source: 8080, target: 443 }], containers })).toEqual([443, 80])
})

it('formats the listen address of a published port', () => {
  const at = (host: string) => formatPublishedPort({ host, source: 5432, target: 5433 })
  expect(at('')).toBe('5432 → 5433')
  expect(at('127.0.0.1')).toBe('127.0.0.1:5432 → 5433')
  expect(at('::1')).toBe('[::1]:5432 → 5433')
})
