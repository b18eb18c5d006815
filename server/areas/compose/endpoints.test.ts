import { expect, test } from 'vitest'
import { modelOf } from '../../../test/support/factories/compose-model.ts'
import { containerSpec } from './container-spec.ts'
import type { ContainerInput } from './endpoints.ts'
import { joinsApplicationNetwork, isReachableInProject, findProxyNetwork } from './proxy-network.ts'

const more = { networks: { default: {}, front: {}, lan: { external: true }, back: { internal: true } } }

const made = (web: Record<string, unknown>, making: Partial<ContainerInput> = {}) =>
  containerSpec({
    application: { id: 'app_01abcdefgh', slug: 'shop' },
    release: { id: 'rel_3', number: 3 },
    instance: {
      id: 'ins_00wxyz',
      replica: 1,
      network: 'slipway-app_1',
      address: '172.18.0.7',
      project_network: null,
    },
    name: 'web',
    model: modelOf({ web, db: {} }, more),
    imageId: 'sha256:abc',
    named: true,
    containers: { db: 'id-of-db' },
    ...making,
  })

const own = {
  network: 'slipway-app_1',
  config: { IPAMConfig: { IPv4Address: '172.18.0.7' }, Aliases: ['shop-web'] },
}

test('creates the container in the application network and connects it to those of the file', () => {
  const { body, connect } = made({
    networks: {
      lan: null,
      front: {
        aliases: ['www', 'web'],
        ipv4_address: '10.5.0.5',
        link_local_ips: ['169.254.8.8'],
        priority: 10,
        driver_opts: { a: 1 },
      },
    },
    links: ['db:sql', 'db'],
  })
  expect(body['NetworkingConfig']).toEqual({ EndpointsConfig: { [own.network]: own.config } })
  const Links = ['db:sql', 'db:db']
  expect(connect).toEqual([
    {
      network: 'shop-cdefgh_front',
      config: {
        Aliases: ['web', 'www'],
        Links,
        IPAMConfig: { IPv4Address: '10.5.0.5', LinkLocalIPs: ['169.254.8.8'] },
        DriverOpts: { a: '1' },
      },
    },
    { network: 'lan', config: { Aliases: ['web'], Links } },
  ])
})

test('adds no network alias before the container is healthy', () => {
  const { connect } = made({ networks: { front: { aliases: ['www'] } } }, { named: false })
  expect(connect).toEqual([{ network: 'shop-cdefgh_front', config: { Aliases: [] } }])
})

test('creates a container without an application network in a network of the file', () => {
  const instance = {
    id: 'ins_00wxyz',
    replica: 1,
    network: null,
    address: null,
    project_network: null,
  } as const
  const { body, connect } = made({ networks: { back: null } }, { instance })
  expect(body).toMatchObject({
    HostConfig: { NetworkMode: 'shop-cdefgh_back' },
    NetworkingConfig: { EndpointsConfig: { 'shop-cdefgh_back': { Aliases: ['web'] } } },
  })
  expect(connect).toEqual([])
})

test('applies a MAC address in the network that declares it', () => {
  const { body, connect } = made({
    networks: { front: { mac_address: '02:42:ac:11:65:43' }, lan: { priority: 9 } },
  })
  expect(body).toMatchObject({
    MacAddress: '02:42:ac:11:65:43',
    HostConfig: { NetworkMode: 'shop-cdefgh_front' },
  })
  expect(connect.map(({ network }) => network)).toEqual(['lan', 'slipway-app_1'])
})

test.each([
  ['host', 'host'],
  ['none', 'none'],
  ['service:db', 'container:id-of-db'],
  ['container:foo', 'container:foo'],
])('with network mode %s has no network and no published ports', (network_mode, NetworkMode) => {
  const ports = [{ target: 53, published: '53', protocol: 'udp' }]
  const { body, connect } = made({ network_mode, ports })
  expect(body).not.toHaveProperty('NetworkingConfig')
  expect(body['HostConfig']).toMatchObject({ NetworkMode, PortBindings: {} })
  expect(connect).toEqual([])
})

test("replaces Docker's default bridge, which applications share, with a network of the application", () => {
  const { body, connect } = made({ network_mode: 'bridge' })
  expect(body['HostConfig']).toMatchObject({ NetworkMode: own.network })
  expect(body['NetworkingConfig']).toEqual({ EndpointsConfig: { [own.network]: own.config } })
  expect(connect).toEqual([])
})

test('joins the project network with an alias once it is healthy', () => {
  const instance = {
    id: 'ins_00wxyz',
    replica: 1,
    network: 'slipway-app_1',
    address: '172.18.0.7',
    project_network: 'slipway-prj_1',
  } as const
  const inProject = (named: boolean) =>
    made({}, { instance, named }).connect.find(({ network }) => network === 'slipway-prj_1')?.config
  expect(inProject(false)).toEqual({ Aliases: [] })
  expect(inProject(true)).toEqual({ Aliases: ['shop-web'] })
})

test('shares an application network only between services that share a network in the file', () => {
  const services = {
    web: { networks: { default: null } },
    api: { networks: { default: null } },
    edge: { networks: { front: null } },
    both: { networks: { front: null, default: null } },
    db: { networks: { back: null } },
    plain: { network_mode: 'bridge' },
  }
  const model = modelOf(services, more)
  const networkOf = (name: string) =>
    findProxyNetwork({ id: 'app_01abcdefgh' }, model.services[name] ?? {}, model)
  expect(networkOf('web')).toEqual({ name: 'slipway-app_01abcdefgh', internal: false })
  expect(networkOf('api')).toEqual(networkOf('web'))
  const names = ['web', 'edge', 'both', 'db', 'plain'].map((name) => networkOf(name).name)
  expect(new Set(names).size).toBe(5)
  expect(names.every((name) => name.startsWith('slipway-app_01abcdefgh'))).toBe(true)
  expect(networkOf('db').internal).toBe(true)
})

test('publishes only ports that the proxy cannot forward', () => {
  const ports = [
    { target: 53, published: '53', protocol: 'udp', host_ip: '10.0.0.1' },
    { target: 53, published: '54', protocol: 'udp' },
    { target: 80, published: '8080', protocol: 'tcp' },
  ]
  expect(made({ ports }).body).toMatchObject({
    ExposedPorts: { '53/udp': {} },
    HostConfig: {
      PortBindings: {
        '53/udp': [
          { HostIp: '10.0.0.1', HostPort: '53' },
          { HostIp: '', HostPort: '54' },
        ],
      },
    },
  })
})

test('keeps internal services internal unless a domain routes to them', () => {
  const joins = (web: Record<string, unknown>, routed = false) => {
    const model = modelOf({ web, db: {} }, more)
    return joinsApplicationNetwork(model.services['web'] ?? {}, model, routed)
  }
  expect(joins({ networks: { front: null, back: null } })).toBe(true)
  expect(joins({ networks: { back: null } })).toBe(false)
  expect(joins({ networks: { back: null } }, true)).toBe(true)
  expect(joins({ networks: { back: null }, ports: [{ target: 1, published: '81' }] })).toBe(true)
  expect(joins({ network_mode: 'host' }, true)).toBe(false)
})

test('connects only services with ports to the project network, and no internal ones', () => {
  const joins = (web: Record<string, unknown>, routed = true) => {
    const model = modelOf({ web }, more)
    return isReachableInProject(model.services['web'] ?? {}, model, routed)
  }
  expect(joins({})).toBe(true)
  expect(joins({}, false)).toBe(false)
  expect(joins({ expose: ['5432'] }, false)).toBe(true)
  expect(joins({ expose: ['5432'], networks: { back: null } }, false)).toBe(false)
  expect(joins({ networks: { front: null, back: null } })).toBe(true)
  expect(joins({ networks: { back: null } })).toBe(false)
  expect(joins({ network_mode: 'host' })).toBe(false)
})
