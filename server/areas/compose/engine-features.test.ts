import { describe, expect, test } from 'vitest'
import { validateComposeFile } from './check/validate-compose-file.ts'
import { containerSpec } from './container-spec.ts'
import { UnsupportedCompose } from './model.ts'
import { readModel } from './read/read-model.ts'

const healthcheck = { test: ['CMD', 'true'], start_period: '30s', start_interval: '1s' }
const web = {
  image: 'nginx:1',
  annotations: { team: 'a', count: 2 },
  healthcheck,
  networks: { front: { gw_priority: 10, aliases: ['www'] }, back: null },
}
const part = { type: 'volume', source: 'data', target: '/data', volume: { subpath: 'uploads' } }
const readOnly = { type: 'bind', source: '/srv', target: '/srv', read_only: true }
const mounts = { volumes: [part, { ...readOnly, bind: { recursive: 'readonly' } }] }

const read = (service: object, apiVersion: string) =>
  readModel({ name: 'shop', services: { web: service } }, {}, apiVersion)

const specOf = (service: object, apiVersion = '1.51') =>
  containerSpec({
    application: { id: 'app_01abcdefgh', slug: 'shop' },
    release: { id: 'rel_1', number: 1 },
    instance: { id: 'ins_1', replica: 1, network: null, address: null, project_network: null },
    name: 'web',
    model: read(service, apiVersion).model,
    imageId: 'sha256:a',
    named: true,
    containers: {},
  })

describe('keys of newer Docker versions', () => {
  test('are used where the server has them', () => {
    expect(read(web, '1.48').warnings).toEqual([])
    const { body, connect } = specOf({ ...web, ...mounts })
    expect(body).toMatchObject({
      Healthcheck: { StartPeriod: 30e9, StartInterval: 1e9 },
      HostConfig: {
        Annotations: { team: 'a', count: '2' },
        Mounts: [
          { Type: 'volume', Target: '/data', VolumeOptions: { Subpath: 'uploads' } },
          { Type: 'bind', Target: '/srv', ReadOnly: true, BindOptions: { ReadOnlyForceRecursive: true } },
        ],
      },
    })
    const networks = JSON.stringify([body['NetworkingConfig'], connect])
    expect(networks.match(/"GwPriority":10/g)).toHaveLength(1)
  })

  test('are left out with a warning where it has not', () => {
    const needs = (docker: string) => `it needs Docker ${docker} or newer on the server.`
    expect(read(web, '1.41').warnings).toEqual([
      `annotations of web has no effect: ${needs('24.0')}`,
      `start_interval of web has no effect: ${needs('25.0')}`,
      `gw_priority of web in the network front has no effect: ${needs('28.0')}`,
    ])
    expect(read(web, '1.43').warnings).toHaveLength(2)
    expect(read(web, '1.47').warnings).toHaveLength(1)
    const plain = JSON.stringify(specOf(web, '1.41'))
    expect(plain).toContain('"StartPeriod":30000000000')
    expect(plain).toContain('"www"')
    for (const key of ['Annotations', 'StartInterval', 'GwPriority']) expect(plain).not.toContain(key)
  })

  test('are refused where ignoring them would mount other data', () => {
    const refusal = (apiVersion: string) => {
      try {
        return read({ image: 'a', ...mounts }, apiVersion).warnings
      } catch (error) {
        return error instanceof UnsupportedCompose ? error.sentences : [String(error)]
      }
    }
    expect(refusal('1.45')).toEqual([])
    expect(refusal('1.44')).toEqual([
      'The mount of web at /data uses subpath, which needs Docker 26.0 or newer on the server. Upgrade Docker, or remove subpath.',
    ])
    expect(refusal('1.43')).toEqual([
      expect.stringContaining('uses subpath'),
      'The mount of web at /srv uses recursive: readonly, which needs Docker 25.0 or newer on the server. Upgrade Docker, or remove recursive: readonly.',
    ])
  })

  test('keep their meaning in older and newer versions', () => {
    const writable = { ...readOnly, bind: { recursive: 'writable', create_host_path: true } }
    expect(specOf({ image: 'a', volumes: [writable] }).body).toMatchObject({
      HostConfig: {
        Binds: [],
        Mounts: [{ BindOptions: { ReadOnlyNonRecursive: true, CreateMountpoint: true } }],
      },
    })
  })

  test('are used to keep file systems below system folders read-only', () => {
    const mounted = (source: string, bind: object | undefined, apiVersion: string) => {
      const volumes = [{ type: 'bind', source, target: '/host', read_only: true, bind }]
      const { warnings } = read({ image: 'a', volumes }, apiVersion)
      return { warnings, config: specOf({ image: 'a', volumes }, apiVersion).body['HostConfig'] }
    }
    const mountsWith = (options: object) => ({
      Binds: [],
      Mounts: [{ Source: '/', ReadOnly: true, BindOptions: { Propagation: 'rprivate', ...options } }],
    })
    const strict = mountsWith({ ReadOnlyForceRecursive: true })
    const alone = mountsWith({ NonRecursive: true })

    for (const bind of [undefined, { create_host_path: true }, { recursive: 'enabled', selinux: 'z' }]) {
      const newer = mounted('/', bind, '1.44')
      expect(newer.config).toMatchObject(strict)
      expect(newer.warnings).toEqual([])
      const older = mounted('/', bind, '1.43')
      expect(older.config).toMatchObject(alone)
      expect(older.warnings).toEqual([
        'The mount of web at /host leaves out file systems mounted below /: making them read-only needs Docker 25.0 or newer on the server.',
      ])
    }
    expect(mounted('/', { recursive: 'disabled' }, '1.51')).toMatchObject({ warnings: [], config: alone })
    expect(mounted('/', { propagation: 'rslave' }, '1.51')).toMatchObject({
      warnings: [expect.stringContaining('propagation of web at /host has no effect')],
      config: strict,
    })
    for (const source of ['/etc', '/proc', '/var/lib/docker', '/var/run/docker/x'])
      expect(JSON.stringify(mounted(source, undefined, '1.51').config)).toContain('ReadOnlyForceRecursive')
    for (const source of ['/etc/localtime', '/srv', '/var/lib/slipway/applications/shop-cdefgh/data'])
      expect(JSON.stringify(mounted(source, undefined, '1.51').config)).not.toContain('Recursive')
  })

  test('are reported when they cannot have an effect', () => {
    const { start_period: _, ...early } = healthcheck
    expect(read({ image: 'a', healthcheck: early }, '1.51').warnings).toEqual([
      'start_interval of web has no effect: it applies only during start_period, which is not set.',
    ])
    expect(() =>
      read({ image: 'a', healthcheck: { ...healthcheck, start_interval: 'soon' } }, '1.51'),
    ).toThrow('The start_interval of web is not a duration.')
  })
})

const file = `services:
  web:
    image: nginx
    annotations: { team: a }
    healthcheck:
      test: ["CMD", "true"]
      start_period: 30s
      start_interval: 1s
    networks:
      front: { gw_priority: 10 }
    volumes:
      - { type: volume, source: data, target: /data, volume: { subpath: uploads } }
networks: { front: {} }
volumes: { data: {} }
`
const checked = (apiVersion?: string) =>
  validateComposeFile(file, { env: [], profiles: [], apiVersion })
    .problems.filter(({ message }) => !message.includes('admin'))
    .map(({ line, severity, message }) => `${line} ${severity} ${message}`)

test('the check names them by line for the chosen server', () => {
  expect(checked()).toEqual([])
  expect(checked('1.51')).toEqual([])
  expect(checked('1.41')).toEqual([
    '4 warning annotations needs Docker 24.0 or newer on the server. It is ignored.',
    '8 warning start_interval needs Docker 25.0 or newer on the server. It is ignored.',
    '10 warning gw_priority needs Docker 28.0 or newer on the server. It is ignored.',
    '12 error subpath needs Docker 26.0 or newer on the server. Upgrade Docker, or remove subpath.',
  ])
})

test.each(['a: 1', '- a', 'x', '[[1]]', '{ front: [1], web: { volume: x } }'])(
  'the check accepts %s in place of a map',
  (odd) => {
    const keys = ['annotations', 'healthcheck', 'networks', 'volumes']
    const text = `services:\n  web:\n    image: a\n${keys.map((key) => `    ${key}: ${odd.startsWith('-') || odd.startsWith('a') ? `\n      ${odd}` : odd}\n`).join('')}`
    expect(() => validateComposeFile(text, { env: [], profiles: [], apiVersion: '1.41' })).not.toThrow()
  },
)
