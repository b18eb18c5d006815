import { describe, expect, test } from 'vitest'
import composeSpec from '../../../../contract/shared/compose-spec.json' with { type: 'json' }
import { newestApiVersion } from '../../../remote/docker/api-version.ts'
import { modelOf } from '../../../../test/support/factories/compose-model.ts'
import { readModel } from './read-model.ts'
import { keySupport } from './service-keys.ts'
import { UnsupportedCompose } from '../model.ts'

const read = (services: object, more: object = {}, env: Record<string, string> = {}) =>
  readModel({ name: 'shop', services, ...more }, env, newestApiVersion)

const refusal = (service: object, more: object = {}) => {
  try {
    read({ web: { image: 'nginx:1', ...service } }, more)
  } catch (error) {
    if (error instanceof UnsupportedCompose) return error.sentences
    throw error
  }
  return []
}

const warned = (service: object, more: object = {}) =>
  read({ web: { image: 'nginx:1', ...service } }, more).warnings

describe('the output of Docker Compose', () => {
  test('has its doubled dollar signs restored in values and keys', () => {
    const { web } = modelOf({
      web: { command: ['echo', '$$HOME', '$$$$'], labels: { a$$b: '$$c' } },
    }).services
    expect(web).toMatchObject({ command: ['echo', '$HOME', '$$'], labels: { a$b: '$c' } })
  })

  test('is normalized from many forms of sizes, booleans and lists', () => {
    const { web } = modelOf({
      web: {
        entrypoint: null,
        mem_limit: '536870912',
        memswap_limit: '-1',
        cpus: '0.5',
        tmpfs: '/run',
        extra_hosts: ['a=1.2.3.4', 'b=::1', 'c:10.0.0.1'],
        gpus: 'all',
        ulimits: { nproc: 10, nofile: { soft: 1, hard: 2 } },
        devices: ['/dev/null:/dev/x:r'],
        blkio_config: { device_read_bps: [{ Path: '/dev/sdb', Rate: '12582912' }] },
        sysctls: { 'net.core.somaxconn': 1024 },
      },
    }).services
    expect(web).toEqual({
      image: 'nginx:1',
      mem_limit: 536_870_912,
      memswap_limit: -1,
      cpus: 0.5,
      tmpfs: ['/run'],
      extra_hosts: ['a:1.2.3.4', 'b:::1', 'c:10.0.0.1'],
      gpus: [{ count: -1 }],
      ulimits: { nproc: { soft: 10, hard: 10 }, nofile: { soft: 1, hard: 2 } },
      devices: [{ source: '/dev/null', target: '/dev/x', permissions: 'r' }],
      blkio_config: { device_read_bps: [{ path: '/dev/sdb', rate: 12_582_912 }] },
      sysctls: { 'net.core.somaxconn': '1024' },
    })
  })

  test('loses generated names of networks and volumes', () => {
    const { networks, volumes } = modelOf(
      { web: {} },
      {
        networks: {
          default: { name: 'shop_default', ipam: {} },
          front: { name: 'lan', external: true },
          back: null,
        },
        volumes: { data: { name: 'shop_data' }, pg: { name: 'other' } },
      },
    )
    expect(networks['default']?.name).toBeUndefined()
    expect(networks).toMatchObject({ front: { name: 'lan', external: true }, back: {} })
    expect(volumes['data']?.name).toBeUndefined()
    expect(volumes['pg']?.name).toBe('other')
  })

  test('is completed with secrets from the environment', () => {
    const more = { secrets: { key: { name: 'shop_key', environment: 'KEY' } } }
    const using = { web: { image: 'a', secrets: [{ source: 'key' }] } }
    expect(read(using, more, { KEY: 'a$$b' }).model.secrets['key']?.content).toBe('a$$b')
    expect(() => read(using, more)).toThrow('The secret key of web uses the variable KEY, which is not set.')
    const inherited = { secrets: { key: { environment: 'constructor' } } }
    expect(() => read(using, inherited)).toThrow('which is not set')
  })

  test('is completed with the zeros and empty contents that it leaves out', () => {
    const { services, configs } = modelOf(
      { web: { ulimits: { core: {}, nofile: { soft: 5 } }, configs: [{ source: 'empty' }] } },
      { configs: { empty: { name: 'shop_empty' } } },
    )
    expect(services['web']?.ulimits).toEqual({ core: { soft: 0, hard: 0 }, nofile: { soft: 5, hard: 0 } })
    expect(configs['empty']?.content).toBe('')
  })

  test('joins the network of a network_mode', () => {
    const { services, networks } = modelOf({
      a: { network_mode: 'default' },
      b: { network_mode: 'lan' },
      c: { network_mode: 'host' },
    })
    expect(services).toMatchObject({
      a: { network_mode: 'bridge' },
      b: { networks: { lan: null } },
      c: { network_mode: 'host' },
    })
    expect(networks).toEqual({ lan: { name: 'lan', external: true } })
  })

  test('is rejected without quoting a value when invalid', () => {
    for (const json of [null, 'x', [], { services: [] }, { services: { web: 'hunter2' } }])
      expect(() => readModel(json, {}, newestApiVersion)).toThrow(UnsupportedCompose)
    const secret = { web: { image: 'a', environment: { A: ['hunter2'] } } }
    expect(() => read(secret)).toThrow(/services\.web\.environment\.A/)
    expect(() => read(secret)).not.toThrow(/hunter2/)
    expect(() =>
      readModel(JSON.parse('{"services":{"__proto__":{"image":"a"}}}'), {}, newestApiVersion),
    ).toThrow('__proto__')
  })
})

test("removes Slipway's own labels with a warning, except the roll label", () => {
  const labels = { 'slipway.range': '0.0.0.0/4', team: 'a' }
  const { model, warnings } = read(
    { web: { image: 'a', labels: { ...labels, 'slipway.roll': 'true' } } },
    { networks: { front: { labels } }, volumes: { data: { labels } } },
  )
  expect(model.services['web']?.labels).toEqual({ team: 'a', 'slipway.roll': 'true' })
  expect([model.networks['front']?.labels, model.volumes['data']?.labels]).toEqual([
    { team: 'a' },
    { team: 'a' },
  ])
  expect(warnings).toEqual(
    ['service web', 'network front', 'volume data'].map(
      (of) => `The label slipway.range of the ${of} has no effect: the prefix slipway. is reserved.`,
    ),
  )
})

describe('keys', () => {
  const ofSpec = (name: string): string[] => {
    const { definitions } = JSON.parse(JSON.stringify(composeSpec))
    return Object.keys(definitions[name].properties)
  }

  test('of a service are supported, ignored with a warning or refused, for each key of the specification', () => {
    const keys = ofSpec('service')
    expect(keys.length).toBeGreaterThan(80)
    const by = (fate: string) => keys.filter((key) => keySupport(key) === fate)
    expect(by('ignored')).toEqual(['develop', 'attach', 'cpu_count', 'cpu_percent', 'pull_refresh_after'])
    expect(by('refused')).toEqual(['credential_spec', 'isolation', 'post_start', 'pre_stop'])
    for (const key of by('ignored'))
      expect(warned({ [key]: { a: 'b' } })).toEqual([
        expect.stringMatching(`^${key} of web has no effect: it .+\\.$`),
      ])
    for (const key of [...by('refused'), 'models', 'provider', 'use_api_socket', 'of_a_later_version'])
      expect(refusal({ [key]: { a: 'b' } })).toEqual([
        expect.stringMatching(`^web cannot be deployed with ${key}\\b.+\\.$`),
      ])
    expect(refusal({ 'x-own': { a: 'b' } })).toEqual([])
  })

  test('of deploy that need Swarm are reported unless empty', () => {
    const deploy = {
      mode: 'global',
      endpoint_mode: 'vip',
      replicas: 1,
      labels: { a: 'b' },
      rollback_config: { delay: '1s' },
      update_config: { order: 'stop-first' },
      resources: { reservations: { cpus: 0.1, generic_resources: [{}] } },
      restart_policy: { condition: 'any' },
      placement: { constraints: ['a'] },
    }
    expect(Object.keys(deploy).toSorted()).toEqual(ofSpec('deployment').toSorted())
    expect(warned({ deploy })).toHaveLength(8)
    expect(warned({ deploy: { replicas: 1, placement: {} } })).toEqual([])
  })

  test('of a network that are not supported are reported', () => {
    const front = { interface_name: 'eth7', gw_priority: 1, aliases: ['a'], priority: 2, 'x-own': 1 }
    expect(warned({ networks: { front } })).toEqual([
      'interface_name in the network front of web has no effect: it is not supported.',
    ])
  })
})

test('of secrets and configs that need Swarm are reported', () => {
  const more = {
    secrets: { key: { file: '/srv/key', driver: 'vault' } },
    configs: { conf: { content: 'a' } },
  }
  expect(warned({}, more)).toEqual(['driver of the secret key has no effect: it needs Docker Swarm.'])
})

describe('refuses unsupported configurations', () => {
  test.each([
    ['two containers of one name', { container_name: 'a', deploy: { replicas: 2 } }, 'container_name'],
    [
      'two containers of one address',
      { scale: 2, networks: { a: { ipv4_address: '10.0.0.1' } } },
      'static IP address',
    ],
    [
      'the name of a container of ours',
      { container_name: 'slipway-proxy' },
      'the prefix slipway- is reserved',
    ],
    ['more containers than a server can have', { scale: 21 }, 'The maximum is 20'],
    [
      'the network of a service that is not there',
      { network_mode: 'service:db' },
      'service db, which has no containers',
    ],
    ['two network cards', { mac_address: 'a', networks: { a: { mac_address: 'b' } } }, 'mac_address'],
    ['a mount of an image', { volumes: [{ type: 'image', source: 'a', target: '/a' }] }, 'type image'],
    ['a file for seccomp', { security_opt: ['seccomp:./profile.json'] }, 'seccomp'],
    ['a time that is none', { stop_grace_period: 'soon' }, 'stop_grace_period of web is not a duration'],
    ['a secret that is not there', { secrets: [{ source: 'key' }] }, 'does not define'],
    ['waiting for itself', { links: ['web'] }, 'web → web'],
    [
      'a port of the server',
      { ports: [{ target: 22, published: '22' }] },
      'ports 22, 2375 and 2376 are reserved',
    ],
  ])('%s', (_, service, says) => {
    expect(refusal(service)).toEqual([expect.stringContaining(says)])
  })

  test('refuses external secrets and configs', () => {
    const more = { configs: { conf: { name: 'conf', external: true } } }
    expect(refusal({ configs: [{ source: 'conf' }] }, more)).toEqual([expect.stringContaining('is external')])
  })
})

test('reports ignored keys', () => {
  expect(warned({ volumes: [{ type: 'volume', target: '/cache', volume: {} }] })).toEqual([
    expect.stringContaining('The volume of web at /cache is anonymous'),
  ])
  const more = { secrets: { key: { file: '/var/lib/slipway/applications/shop-1/key' } } }
  expect(warned({ secrets: [{ source: 'key', mode: 256 }] }, more)).toEqual([
    expect.stringContaining('keeps the owner and mode'),
  ])
})

test.each([
  { network_mode: 'service:db' },
  { pid: 'service:db' },
  { ipc: 'service:db' },
  { volumes_from: ['db:ro'] },
])('refuses sharing with a service without containers: %j', (web) => {
  const services = (replicas: number) => ({
    web: { image: 'nginx:1', ...web },
    db: { image: 'nginx:1', deploy: { replicas } },
  })
  expect(() => read(services(1))).not.toThrow()
  expect(() => read(services(0))).toThrow('web shares resources with service db, which has no containers.')
})

test('accepts a port protocol in any case', () => {
  const { web } = modelOf({ web: { ports: [{ target: 80, published: '8080', protocol: 'TCP' }] } }).services
  expect(web?.ports).toEqual([{ target: 80, published: '8080', protocol: 'tcp' }])
  expect(refusal({ ports: [{ target: 80, published: '8080', protocol: 'dccp' }] })).toEqual([
    'Port 80 of web cannot be published with the protocol dccp. Use tcp or udp.',
  ])
})
