import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { madeCertificate } from '../../../test/support/factories/certificates.ts'
import { temporaryFolder } from '../../../test/support/programs/programs.ts'
import {
  initialConfig,
  parseBackendApplication,
  planProxy,
  type ProxyPlan,
  type RoutedApplication,
  type Routing,
} from './plan.ts'
import { configuredPorts, proxyFolder } from './config.ts'

const application = (id: string, more: Partial<RoutedApplication> = {}): RoutedApplication => ({
  id,
  replicas: 1,
  maintenance: false,
  healthPath: null,
  domains: [{ service: '', host: `${id.slice(4)}.example.com`, path: '/', port: null, secure: null }],
  ports: [],
  instances: [{ service: '', slot: 1, address: '10.0.0.2', port: 3000, serving: true }],
  ...more,
})
const routing = (applications: RoutedApplication[], more: Partial<Routing> = {}): Routing => ({
  httpPorts: [8080],
  httpsPorts: [8443],
  certificates: [],
  challenges: [],
  trustedProxies: [],
  probeKey: '',
  applications,
  ...more,
})
const configOf = ({ files }: ProxyPlan) => files.at(-1)?.content ?? ''
const section = (plan: ProxyPlan, name: string) =>
  configOf(plan)
    .split('\n\n')
    .find((one) => one.split('\n')[0]?.endsWith(` ${name}`)) ?? ''

/** Returns the output of the check of HAProxy. Throws if HAProxy rejects the file. */
async function check(plan: ProxyPlan) {
  const folder = await temporaryFolder()
  for (const { name, content } of plan.files)
    await writeFile(join(folder, name), content.replaceAll(proxyFolder, folder))
  await promisify(execFile)('/usr/sbin/haproxy', ['-c', '-f', join(folder, 'haproxy.cfg')])
}

test('generates configurations that HAProxy accepts', async () => {
  const { certificate, key } = await madeCertificate('shop.example.com')
  const all = routing(
    [
      application('app_shop', {
        maintenance: true,
        ports: [{ service: '', host: '', source: 15_432, target: 5_432 }],
        domains: [
          { service: '', host: 'shop.example.com', path: '/', port: null, secure: 'shop.example.com:8443' },
          {
            service: '',
            host: 'shop.example.com',
            path: '/api',
            port: 9000,
            secure: 'shop.example.com:8443',
          },
        ],
      }),
      // The path contains every character that a path may contain.
      ...[`/a'b"c\\d#e$f%g{h}i`, '/${HOME}', `/it's'"`, '/%[src]', '/\\'].map((healthPath, at) =>
        application(`app_${at}`, { healthPath }),
      ),
    ],
    {
      certificates: [{ host: 'shop.example.com', pem: certificate + key }],
      challenges: [
        { host: 'shop.example.com', token: 'a-To_ken', keyAuthorization: 'a-To_ken.a-Thumb_print' },
      ],
    },
  )
  for (const ipv6 of [true, false]) await check(planProxy(all, ipv6))
})

test('gives compose services unique backend names', async () => {
  const at = (slot: number, service: string) => ({
    service,
    slot,
    address: `10.0.0.${slot}`,
    port: null,
    serving: true,
  })
  const leads = (service: string, port: number) => ({
    service,
    host: `${service}.example.com`,
    path: '/',
    port,
    secure: null,
  })
  const plan = planProxy(
    routing([
      application('app_shop', {
        replicas: 3,
        healthPath: '/healthz',
        instances: [at(1, 'web'), at(2, 'api.v1'), at(3, '80')],
        domains: [leads('web', 80), leads('api.v1', 80), leads('80', 8080)],
        ports: [
          { service: 'api.v1', host: '127.0.0.1', source: 5432, target: 5433 },
          { service: 'web', host: '192.0.2.7', source: 5432, target: 80 },
          { service: 'web', host: '::1', source: 5432, target: 81 },
        ],
      }),
    ]),
    true,
  )
  await check(plan)
  const used = (name: string) =>
    section(plan, name)
      .match(/server s\d \d+\..*/g)
      ?.filter((one) => !one.endsWith('disabled'))
  expect(used('app_shop.80-web')).toEqual(['server s1 10.0.0.1:80'])
  expect(used('app_shop.80-api.v1')).toEqual(['server s2 10.0.0.2:80'])
  expect(used('app_shop.8080-80')).toEqual(['server s3 10.0.0.3:8080'])
  expect(used('app_shop:5432:127.0.0.1')).toEqual(['server s2 10.0.0.2:5433'])
  expect(used('app_shop:5432:::1')).toEqual(['server s1 10.0.0.1:81'])
  expect(configOf(plan)).not.toContain('httpchk')
  expect(new Set(plan.backends.map(({ name }) => parseBackendApplication(name)))).toEqual(
    new Set(['app_shop']),
  )
  const binds = [...configOf(plan).matchAll(/^ {2}bind (.*5432.*)$/gm)].map(([, where]) => where)
  expect(binds).toEqual(['127.0.0.1:5432 transparent', '192.0.2.7:5432 transparent', '::1:5432 transparent'])
  expect(configuredPorts(configOf(plan)).all).toContain(5432)
})

test('quotes health check paths', () => {
  const plan = planProxy(routing([application('app_a', { healthPath: `/it's#1` })]), false)
  expect(section(plan, 'app_a')).toContain(`uri '/it'"'"'s#1' ver`)
})

test('binds to the given ports, and to IPv6 only if available', () => {
  const binds = (ipv6: boolean) =>
    [...initialConfig(8080, 8443, ipv6).matchAll(/^ {2}bind (\S+)/gm)].map(([, where]) => where)
  expect(binds(false)).toEqual([':8080', ':8443'])
  expect(binds(true)).toEqual([':8080', ':::8080', ':8443', ':::8443'])
  const ports = [{ service: '', host: '', source: 15_432, target: 5_432 }]
  expect(configuredPorts(configOf(planProxy(routing([application('app_a', { ports })]), true)))).toEqual({
    http: [8080],
    https: [8443],
    all: [8080, 15_432, 8443],
  })
})

test('starts with serving instances only', () => {
  const instances = [
    { service: '', slot: 1, address: '10.0.0.2', port: 3000, serving: false },
    { service: '', slot: 2, address: '10.0.0.3', port: 3000, serving: true },
    { service: '', slot: 3, address: '10.0.0.4', port: null, serving: true },
  ]
  const ports = [{ service: '', host: '', source: 15_432, target: 5_432 }]
  const plan = planProxy(routing([application('app_a', { instances, ports, replicas: 2 })]), false)
  const servers = (name: string) => section(plan, name).match(/server s\d.*/g)
  const free = '0.0.0.0:0 disabled'
  expect(servers('app_a')?.slice(0, 4)).toEqual([
    `server s1 ${free}`,
    'server s2 10.0.0.3:3000',
    `server s3 ${free}`,
    `server s4 ${free}`,
  ])
  expect(servers('app_a')).toHaveLength(8)
  expect(servers('app_a:15432')?.[2]).toBe('server s3 10.0.0.4:5432')
})

test('changes the shape only for changes that need a reload', () => {
  const shapeOf = (more: Partial<RoutedApplication>, others: Partial<Routing> = {}) =>
    planProxy(routing([application('app_a', more)], others), false).shape
  const before = shapeOf({})
  const domain = { service: '', host: 'b.example.com', path: '/', port: null, secure: 'b.example.com' }
  expect(shapeOf({ instances: [] })).toBe(before)
  expect(shapeOf({ domains: [] })).toBe(before)
  expect(shapeOf({ domains: [domain] })).toBe(before)
  expect(shapeOf({ maintenance: true })).toBe(before)
  expect(
    shapeOf({ instances: [{ service: '', slot: 4, address: '10.0.0.9', port: 80, serving: true }] }),
  ).toBe(before)
  expect(
    shapeOf({ instances: [{ service: '', slot: 5, address: '10.0.0.9', port: 80, serving: true }] }),
  ).not.toBe(before)
  expect(shapeOf({ ports: [{ service: '', host: '', source: 1, target: 1 }] })).not.toBe(before)
  expect(shapeOf({ domains: [{ ...domain, port: 9000 }] })).not.toBe(before)
  expect(shapeOf({ healthPath: '/healthz' })).not.toBe(before)
  const named = (pem: string) => shapeOf({}, { certificates: [{ host: 'b.example.com', pem }] })
  expect(named('one')).not.toBe(before)
  expect(named('one')).toBe(named('another'))
})

test('keeps idle event streams open longer than keep-alive connections', () => {
  const config = initialConfig(80, 443, false)
  expect(config).toMatch(/timeout client 1h\n {2}timeout server 1h\n/)
  expect(Number(/timeout http-keep-alive (\d+)s/.exec(config)?.[1])).toBeLessThan(30)
})
