import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modelOf } from '../../../test/support/factories/compose-model.ts'
import { serviceHash } from './service-hash.ts'
import { readKeys } from './read/service-schema.ts'

const mark = (text: string) => createHash('sha256').update(text).digest('hex')

const hashed = (
  web: Record<string, unknown>,
  more: Record<string, unknown> = {},
  imageId = 'sha256:abc',
  env = {},
) => {
  const model = modelOf({ web: { image: 'nginx:1', ...web }, db: {} }, more, env)
  return serviceHash(model.services['web'] ?? {}, model, imageId, mark)
}

const samples: Record<string, unknown> = {
  annotations: { a: 'b' },
  blkio_config: { weight: 300 },
  build: { context: '.' },
  command: ['a'],
  configs: [{ source: 'conf' }],
  cpu_period: 1,
  cpu_quota: 1,
  cpu_rt_period: 1,
  cpu_rt_runtime: 1,
  cpu_shares: 1,
  cpus: 1,
  depends_on: { db: { condition: 'service_started', required: true } },
  deploy: { resources: { limits: { memory: '1' } } },
  devices: [{ source: '/dev/null' }],
  entrypoint: [],
  environment: { A: null },
  expose: ['3000'],
  extra_hosts: ['a=1.1.1.1'],
  gpus: 'all',
  healthcheck: { disable: true },
  image: 'nginx:2',
  init: true,
  labels: { a: 'b' },
  links: ['db'],
  logging: { driver: 'local' },
  mem_limit: 1,
  mem_reservation: 1,
  mem_swappiness: 1,
  memswap_limit: 1,
  network_mode: 'host',
  networks: { default: null },
  oom_kill_disable: true,
  oom_score_adj: 1,
  pids_limit: 1,
  ports: [{ target: 80, published: '8080', protocol: 'tcp' }],
  privileged: true,
  read_only: true,
  restart: 'always',
  scale: 2,
  secrets: [{ source: 'key' }],
  shm_size: 1,
  stdin_open: true,
  stop_grace_period: '1s',
  storage_opt: { size: '1' },
  sysctls: { 'net.a': '1' },
  tty: true,
  ulimits: { nproc: 1 },
  volumes: [{ type: 'volume', source: 'data', target: '/data' }],
  volumes_from: ['db'],
}

const more = {
  networks: { default: { name: 'shop_default' } },
  volumes: { data: {} },
  secrets: { key: { content: 'a' } },
  configs: { conf: { content: 'a' } },
}

const makesNoContainer = new Set([
  'build',
  'depends_on',
  'image',
  'ports',
  'profiles',
  'pull_policy',
  'scale',
])

/** These keys have an effect only in a network. */
const inNetwork = new Set(['external_links', 'links'])

test.each(readKeys)('%s changes the hash exactly if it changes containers', (key) => {
  const base = inNetwork.has(key) ? { networks: { default: null } } : {}
  const value = samples[key] ?? 'a'
  const isOther = hashed({ ...base, [key]: value }, more) !== hashed(base, more)
  expect(isOther).toBe(!makesNoContainer.has(key))
})

test('includes Docker-published ports, and never replicas', () => {
  expect(hashed({ ports: [{ target: 53, published: '53', protocol: 'udp' }] })).not.toBe(hashed({}))
  expect(hashed({ deploy: { replicas: 5 } })).toBe(hashed({}))
})

test('includes the content of the image', () => {
  expect(hashed({}, {}, 'sha256:def')).not.toBe(hashed({}))
})

test('includes definitions of referenced resources', () => {
  const using = {
    networks: { default: null },
    volumes: [{ type: 'volume', source: 'data', target: '/data' }],
    secrets: [{ source: 'key' }],
  }
  const changed = (other: object, env = { KEY: 'a' }) =>
    hashed(using, { ...more, secrets: { key: { environment: 'KEY' } }, ...other }, 'sha256:abc', env)
  const before = changed({})
  expect(changed({ configs: { conf: { content: 'unused' } } })).toBe(before)
  expect(changed({}, { KEY: 'b' })).not.toBe(before)
  expect(changed({ networks: { default: { internal: true } } })).not.toBe(before)
  expect(changed({ volumes: { data: { driver_opts: { type: 'nfs' } } } })).not.toBe(before)
})

test('ignores the order of unordered values', () => {
  const entries = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[A-Z]{1,4}$/), fc.string()), {
    selector: ([key]) => key,
  })
  fc.assert(
    fc.property(entries, (all) => {
      const said = { tty: true, init: true, ulimits: { nproc: 1, nofile: 2 } }
      const turned = { ulimits: { nofile: 2, nproc: 1 }, init: true, tty: true }
      const one = { ...said, environment: Object.fromEntries(all), labels: Object.fromEntries(all) }
      const other = {
        labels: Object.fromEntries(all.toReversed()),
        environment: Object.fromEntries(all.toReversed()),
        ...turned,
      }
      expect(hashed(other)).toBe(hashed(one))
    }),
    { numRuns: 30 },
  )
})
