import { describe, expect, test } from 'vitest'
import type { Model } from './model.ts'
import { publishedPorts } from './ports.ts'

const range = (length: number, protocol = 'tcp') =>
  Array.from({ length }, (_, at) => ({ target: 1, published: String(3_000 + at), protocol }))

const portsIn = (services: Model['services'], proxyPorts = [80, 443]) =>
  publishedPorts({ services, networks: {}, volumes: {}, secrets: {}, configs: {} }, proxyPorts)

test('forwards published ports through the proxy', () => {
  const { viaProxy: lifted, ...others } = portsIn({
    web: {
      ports: [
        { target: 80, published: '8080', protocol: 'tcp' },
        { target: 9000, published: '9000', protocol: 'tcp', host_ip: '127.0.0.1' },
        { target: 9001, published: '9001', host_ip: '0.0.0.0' },
        { target: 70, published: '70', host_ip: '::1' },
      ],
    },
  })
  expect(lifted).toEqual([
    { service: 'web', host: '', source: 8080, target: 80 },
    { service: 'web', host: '127.0.0.1', source: 9000, target: 9000 },
    { service: 'web', host: '', source: 9001, target: 9001 },
    { service: 'web', host: '::1', source: 70, target: 70 },
  ])
  expect(others).toEqual({ viaDocker: [], warnings: [], problems: [] })
})

test('publishes a port once when the file names both 0.0.0.0 and [::]', () => {
  const everywhere = ['0.0.0.0', '::'].flatMap((host_ip) => [
    { target: 80, published: '8080', host_ip },
    { target: 53, published: '5353', host_ip, protocol: 'udp' },
  ])
  expect(portsIn({ web: { ports: everywhere } })).toEqual({
    viaProxy: [{ service: 'web', host: '', source: 8080, target: 80 }],
    viaDocker: [{ service: 'web', host: '', source: 5353, target: 53, protocol: 'udp' }],
    warnings: [],
    problems: [],
  })
})

test('lets Docker publish what the proxy cannot forward', () => {
  const { viaDocker: byDocker, viaProxy: lifted } = portsIn({
    dns: {
      ports: [
        { target: 53, published: '53', protocol: 'udp', host_ip: '10.0.0.1' },
        { target: 54, protocol: 'udp' },
      ],
    },
  })
  expect(lifted).toEqual([])
  expect(byDocker).toEqual([
    { service: 'dns', host: '10.0.0.1', source: 53, target: 53, protocol: 'udp' },
    { service: 'dns', host: '', source: null, target: 54, protocol: 'udp' },
  ])
})

test('reports omitted ports', () => {
  const { viaProxy: lifted, warnings } = portsIn({
    web: {
      ports: [{ target: 80, published: '80' }, { target: 3000 }, { target: 88, published: '9100-9110' }],
    },
    host: { network_mode: 'host', ports: [{ target: 5000, published: '5000' }] },
    side: { network_mode: 'service:web', ports: [{ target: 5001, published: '5001' }] },
  })
  expect(lifted).toEqual([{ service: 'web', host: '', source: 9100, target: 88 }])
  expect(warnings).toEqual([
    'Port 5000 of host is not published: host is in the host network, where it already listens on its ports.',
    'Port 5001 of side is not published: side has no network of its own.',
    'Port 80 of web is not published: the proxy uses port 80. Add a domain to the service.',
    expect.stringContaining('Port 3000 of web is not published: no server port is set'),
    'web uses only port 9100 of 9100-9110: one port serves all its containers.',
  ])
})

describe('refuses a file', () => {
  const on = (published: string, host_ip?: string) => ({ ports: [{ target: 1, published, host_ip }] })

  test('whose services publish the same port', () => {
    expect(portsIn({ a: on('81'), b: on('81') }).problems).toEqual([
      'a and b both publish port 81. Change one of them.',
    ])
    expect(portsIn({ a: on('81', '127.0.0.1'), b: on('81') }).problems).toHaveLength(1)
    expect(portsIn({ a: on('81', '127.0.0.1'), b: on('81', '10.0.0.1') }).problems).toEqual([])
    const both = {
      ports: [
        { target: 1, published: '81' },
        { target: 1, published: '81', protocol: 'udp' },
      ],
    }
    expect(portsIn({ a: both }).problems).toEqual([])
  })

  test('with invalid, reserved or too many ports', () => {
    expect(portsIn({ a: on('70000') }).problems).toHaveLength(1)
    // The host ends up in the proxy configuration, so it must be a plain IP address.
    for (const host of ['localhost', '1.2.3.4\n  bind :1', 'fe80::1%eth0'])
      expect(portsIn({ a: on('81', host) }).problems).toEqual([expect.stringContaining('not an IP address.')])
    expect(portsIn({ a: on('81', '[0:0:0:0:0:0:0:1]') }).viaProxy).toMatchObject([{ host: '::1' }])
    expect(portsIn({ a: on('2375') }).problems).toHaveLength(1)
    expect(portsIn({ a: { ports: range(1_001) } }).problems).toEqual([
      'The file publishes 1,001 TCP ports. The maximum is 1,000. Use a smaller range.',
    ])
  })

  test('with many sentences as few', () => {
    const { problems } = portsIn({ a: { ports: range(500) }, b: { ports: range(500) } })
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe('480 more ports are affected.')
  })
})

test('accepts large port ranges, and warns about those that cost much', () => {
  const small = portsIn({ ftp: { ports: range(1_000) } })
  expect(small).toMatchObject({ problems: [], warnings: [] })
  expect(small.viaProxy).toHaveLength(1_000)
  const large = portsIn({ turn: { ports: range(20_000, 'udp') } })
  expect(large.problems).toEqual([])
  expect(large.viaDocker).toHaveLength(20_000)
  expect(large.warnings).toEqual([expect.stringContaining('publishes 20,000 UDP or SCTP ports')])
})

test('treats different spellings of an IPv4 address alike', () => {
  const on = (host_ip: string) => ({ ports: [{ target: 80, published: '8080', host_ip }] })
  const hostOf = (host_ip: string) => portsIn({ web: on(host_ip) }).viaProxy[0]?.host
  expect(hostOf('[::ffff:127.0.0.1]')).toBe('127.0.0.1')
  expect(hostOf('::FFFF:7f00:0001')).toBe('127.0.0.1')
  expect(hostOf('::ffff:0.0.0.0')).toBe('')
  expect(hostOf('0:0:0:0:0:0:0:0')).toBe('')
  expect(hostOf('fd00:0::1')).toBe('fd00::1')
  expect(portsIn({ a: on('::ffff:127.0.0.1'), b: on('127.0.0.1') }).problems).toHaveLength(1)
})

test("reserves the server's ports for Docker-published ports as well", () => {
  const port = { target: 22, published: '20-30', protocol: 'sctp' }
  expect(portsIn({ web: { ports: [port] } }).problems).toEqual([expect.stringContaining('22, 2375 and 2376')])
})
