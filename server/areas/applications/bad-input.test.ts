import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as entries from '../../../contract/application-entries.ts'
import * as contract from '../../../contract/applications.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const team = await makeTeam(db)
const { token } = team.owner
let server: string
let application: string
beforeAll(async () => {
  const row = await makeServer(ctx, team.workspace, nowhere(), { status: 'unreachable' })
  application = await makeApplication(db, team.workspace, row)
  server = row
})

/** Expects an error at the field and no change. */
async function expectRefused(endpoint: Endpoint, bodies: [field: string, body: object][]): Promise<void> {
  const before = await fingerprint(db)
  const params = endpoint.params ? { id: application } : undefined
  for (const [field, body] of bodies) {
    const got = await slipway.refused(endpoint, { token, params, body }, 422)
    const { errors } = Object(got.body)
    expect({ of: body, fields: Object.keys(errors) }).toEqual({ of: body, fields: [field] })
  }
  expect(await fingerprint(db)).toEqual(before)
}

const whole = (more: object) => ({
  name: 'Shop',
  source: { type: 'docker_image', image: 'nginx' },
  server_id: server,
  ...more,
})
const each = (field: string, values: unknown[], body: (value: unknown) => object): [string, object][] =>
  values.map((value) => [field, body(value)])

/** Special characters of shells, URLs, SQL, HAProxy and terminals, and values of other types. */
const characters = [
  ...'`$&;|<>(){}[]"\\\'*?!#%^~ \t\n\r'.split(''),
  '$(id)',
  '\0',
  '\u001b[31m',
  '\u202e',
  '\ud800',
  'é',
  '日本',
  '🚢',
]

const image = (value: unknown) => whole({ source: { type: 'docker_image', image: value } })

describe('a new application', () => {
  test('names', () =>
    expectRefused(
      contract.createApplication,
      each('name', ['', '   ', 'a\nb', 'a\0b', '\u202eabc', '\u200b', 'a'.repeat(101), 7, null], (name) =>
        whole({ name }),
      ),
    ))

  test('images', () => {
    const odd = [
      '-x',
      'UPPER/case',
      'a//b',
      'a:',
      ':a',
      'a@sha256:12',
      '../a',
      'a'.repeat(301),
      'https://a/b',
      '',
    ]
    const values = [...odd, ...characters.filter((sign) => sign.trim() !== '').map((sign) => `nginx${sign}x`)]
    return expectRefused(contract.createApplication, each('source.image', values, image))
  })

  test('domains', () => {
    const long = `${'a'.repeat(64)}.example.com`
    const odd = [
      'localhost',
      'a',
      '.a.com',
      'a..com',
      '-a.com',
      'a-.com',
      '*.a.com',
      '10.0.0.1',
      long,
      `${'a.'.repeat(130)}com`,
      'a.com:80',
      'http://a.com',
      'a_b.com',
      'a.com/x',
      '',
    ]
    const hosts = [...odd, ...characters.filter((sign) => sign.trim() !== '').map((sign) => `a${sign}.com`)]
    const paths = [
      '',
      'a',
      '/a b',
      '/a//b',
      '/../a',
      '/a/.',
      '/a?b',
      '/a#b',
      '/é',
      `/${'a'.repeat(200)}`,
      '/a\nb',
      '/%2e%2e',
      '/a"',
    ]
    return expectRefused(contract.createApplication, [
      ...each('domains.0.host', hosts, (host) => whole({ domains: [{ host }] })),
      ...each('domains.0.path', paths, (path) => whole({ domains: [{ host: 'a.com', path }] })),
      ...each('domains.0.port', [0, 65_536, 1.5, '80'], (port) =>
        whole({ domains: [{ host: 'a.com', port }] }),
      ),
      ['domains.1.host', whole({ domains: [{ host: 'a.com' }, { host: 'A.com', path: '/' }] })],
      ['domains', whole({ domains: Array.from({ length: 21 }, (_, n) => ({ host: `a${n}.com` })) })],
    ])
  })

  test('ports', () => {
    const sources = [
      22,
      80,
      443,
      2200,
      2375,
      2376,
      0,
      -1,
      65_536,
      1.5,
      '0x50',
      '80a',
      '',
      ' ',
      null,
      true,
      [5000],
      '1e3',
    ]
    return expectRefused(contract.createApplication, [
      ...each('ports.0.source', sources, (source) => whole({ ports: [{ source, target: 80 }] })),
      ...each('ports.0.target', [0, 65_536, '', 'http', null], (target) =>
        whole({ ports: [{ source: 5000, target }] }),
      ),
      ['ports.0.target', whole({ ports: '5000' })],
      ['ports', whole({ ports: '5000:1\n5000:2' })],
      ['ports', whole({ ports: 5000 })],
      ...each('port', [0, 70_000, 'x'], (port) => whole({ port })),
    ])
  })

  test('settings', () =>
    expectRefused(contract.createApplication, [
      ...each('health.path', ['', 'x', '/a b', '/é', `/${'a'.repeat(500)}`, '/a\r\nHost: b'], (path) =>
        whole({ health: { type: 'http', path } }),
      ),
      ['health.type', whole({ health: { type: 'ping' } })],
      ...each('health.within_seconds', [0, 3_601, 1.5], (within_seconds) =>
        whole({ health: { type: 'auto', within_seconds } }),
      ),
      ...each('memory_limit', [0, 1_000, 2 ** 47, 7e6 + 0.5, '64m'], (memory_limit) =>
        whole({ memory_limit }),
      ),
      ...each('cpu_limit', [0, -1, 2_000, '1'], (cpu_limit) => whole({ cpu_limit })),
      ...each('replicas', [0, 21, 1.5], (replicas) => whole({ replicas })),
      ...each('command', [[], 'sleep 1', Array.from({ length: 101 }, () => 'a')], (command) =>
        whole({ command }),
      ),
      ['command.1', whole({ command: ['sh', 'a\0b'] })],
      ['restart', whole({ restart: 'sometimes' })],
      ['drain_seconds', whole({ drain_seconds: 0 })],
      ['source', whole({ source: { type: 'github', image: 'a' } })],
      ['privileged', whole({ privileged: true })],
    ]))
})

describe('entries', () => {
  const keys = [
    '',
    ' ',
    '1A',
    'A B',
    'Ä',
    'A=B',
    'a'.repeat(256),
    ...characters.filter((sign) => sign.trim() !== '').map((sign) => `A${sign}B`),
  ]

  test('variables', () =>
    expectRefused(entries.createVariable, [
      ...each('key', keys, (key) => ({ key, value: '' })),
      ...each('value', ['a\0b', 'a\ud800', 'a'.repeat(65_537), 1, null], (value) => ({ key: 'A', value })),
    ]))

  test('all variables at once, and a text of 450 kB', async () => {
    const many = Array.from({ length: 501 }, (_, n) => `KEY_${n}=1`).join('\n')
    await expectRefused(entries.replaceVariables, [
      ['env.1.key', { env: 'A=1\nNOT SO=2' }],
      ['env.0.value', { env: [{ key: 'A' }] }],
      ['env', { env: many }],
      ['env', { env: 'A=1\0' }],
      ['env', { env: 7 }],
      ['env', { env: `A=${'x'.repeat(450_000)}` }],
    ])
    await expectRefused(contract.createApplication, [
      ['env', whole({ env: `A=${'x'.repeat(450_000)}` })],
      ['env.1.key', whole({ env: 'A=1\nNOT SO=2' })],
    ])
  })

  test('labels', () =>
    expectRefused(entries.createLabel, [
      ...each(
        'key',
        ['', 'a b', '.a', 'a.', 'é', 'slipway.application', 'Slipway.x', 'a'.repeat(256), 'a\0'],
        (key) => ({ key, value: '' }),
      ),
      ...each('value', ['a\0b', '\ud800', 'a'.repeat(4_097), 1], (value) => ({ key: 'a', value })),
    ]))

  test('volumes', () => {
    const sources = [
      '',
      '.',
      '..',
      '../a',
      'a/b',
      '/',
      '/a/../b',
      '/a//b',
      '/a:b',
      'a b',
      '-a',
      'a'.repeat(101),
      'é',
      '/var/run/docker.sock',
      '/etc',
      '/proc',
      '/var/lib/slipway/proxy',
      '/run/x',
      'a\0',
    ]
    const targets = ['', '/', 'data', '/a/../b', '/a//b', '/a:ro', '/./a', `/${'a'.repeat(1_000)}`, '/a\0']
    return expectRefused(entries.createVolume, [
      ...each('source', sources, (source) => ({ source, target: '/data' })),
      ...each('target', targets, (target) => ({ source: 'data', target })),
    ])
  })

  test('volumes at once', () =>
    expectRefused(entries.replaceVolumes, [
      ['volumes', { volumes: 'a:/data\nb:/data/' }],
      ['volumes.0.target', { volumes: 'data' }],
      ['volumes.1.source', { volumes: 'a:/a\n/etc:/etc' }],
    ]))
})
