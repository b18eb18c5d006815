import { expect, test } from 'vitest'
import { changesBetween } from './compare-configurations.ts'
import type { ApplicationConfig, ReleaseConfig } from '../config.ts'

const base: ReleaseConfig = {
  image: 'rig/app:1',
  command: null,
  port: 3000,
  health: { type: 'http', path: '/healthz', within_seconds: 60 },
  memory_limit: null,
  cpu_limit: null,
  replicas: 1,
  restart: 'always',
  stop_grace_seconds: 10,
  drain_seconds: 30,
  labels: [{ key: 'team', value: 'blue' }],
  volumes: [{ source: 'data', target: '/data' }],
}
const env = [
  { key: 'TOKEN', value: 'hunter2' },
  { key: 'COLOUR', value: 'red' },
]
const configured = (config: Partial<ReleaseConfig> = {}, given = env): ApplicationConfig => ({
  config: { ...base, ...config },
  env: given,
  compose: null,
})
const changes = (to: ApplicationConfig) => changesBetween(configured(), to)

test('reports no change for equal configurations in any order', () => {
  expect(changes(configured({}, env.toReversed()))).toEqual([])
})

test.each<[Partial<ReleaseConfig>, object]>([
  [{ image: 'rig/app:2' }, { field: 'image', kind: 'changed', from: 'rig/app:1', to: 'rig/app:2' }],
  [{ command: ['sh', '-c', 'a b'] }, { field: 'command', kind: 'added', from: null, to: 'sh -c "a b"' }],
  [{ port: null }, { field: 'port', kind: 'removed', from: '3000', to: null }],
  [
    { health: { type: 'tcp', path: '/healthz', within_seconds: 60 } },
    {
      field: 'health',
      kind: 'changed',
      from: 'http /healthz, timeout 60 s',
      to: 'tcp, timeout 60 s',
    },
  ],
  [{ memory_limit: 1_536 * 2 ** 20 }, { field: 'memory_limit', kind: 'added', from: null, to: '1536 MiB' }],
  [{ cpu_limit: 0.5 }, { field: 'cpu_limit', kind: 'added', from: null, to: '0.5 cores' }],
  [{ replicas: 3 }, { field: 'replicas', kind: 'changed', from: '1', to: '3' }],
  [{ restart: 'no' }, { field: 'restart', kind: 'changed', from: 'always', to: 'no' }],
  [{ stop_grace_seconds: 20 }, { field: 'stop_grace_seconds', kind: 'changed', from: '10', to: '20' }],
  [{ drain_seconds: 5 }, { field: 'drain_seconds', kind: 'changed', from: '30', to: '5' }],
  [
    { labels: [{ key: 'team', value: 'green' }] },
    { field: 'labels.team', kind: 'changed', from: 'blue', to: 'green' },
  ],
  [{ volumes: [] }, { field: 'volumes./data', kind: 'removed', from: 'data', to: null }],
])('formats %o', (config, change) => {
  expect(changes(configured(config))).toEqual([change])
})

test('distinguishes similar arguments and limits', () => {
  const command = (...arguments_: string[]) => configured({ command: arguments_ })
  expect(changesBetween(command('a b'), command('a', 'b'))).toHaveLength(1)
  const memory = (memory_limit: number) => configured({ memory_limit })
  expect(changesBetween(memory(2 ** 30), memory(2 ** 30 + 1))).toHaveLength(1)
})

test('lists names of changed variables, never values', () => {
  const to = configured({}, [
    { key: 'TOKEN', value: 'hunter3' },
    { key: 'NEW', value: 'hunter4' },
  ])
  expect(changes(to)).toEqual([
    { field: 'env.COLOUR', kind: 'removed', from: null, to: null },
    { field: 'env.NEW', kind: 'added', from: null, to: null },
    { field: 'env.TOKEN', kind: 'changed', from: null, to: null },
  ])
})
