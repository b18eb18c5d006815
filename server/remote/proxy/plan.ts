import { createHash } from 'node:crypto'
import { cloudflarePreset } from '../../../contract/shared/trusted-proxies.ts'
import { cloudflareRanges } from './cloudflare-ranges.ts'
import { certificateList, challengePath, mapNames, notSecure, proxyConfig, proxyPath } from './config.ts'

export interface ProxyFile {
  name: string
  content: string
  mode: number
}

export type MapName = (typeof mapNames)[keyof typeof mapNames]

export interface ProxyPlan {
  files: ProxyFile[]
  backends: Backend[]
  maps: Map<MapName, Map<string, string>>
  certificates: ServedCertificate[]
  shape: string
  secrets: string
}

export const configName = 'haproxy.cfg'
export const certificateName = (host: string) => `${host}.pem`

export function planProxy(routing: Routing, ipv6: boolean): ProxyPlan {
  const backends = listBackends(routing)
  const maps = planMaps(routing)
  const certificates = [...routing.certificates].sort((a, b) => (a.host < b.host ? -1 : 1))
  const list = certificates.map(({ host }) => `${proxyPath(certificateName(host))} ${host}\n`).join('')
  const options = { ...routing, ipv6, backends }
  const empty = backends.map((backend) => ({ ...backend, places: new Map() }))
  const shape = sha256(proxyConfig({ ...options, backends: empty, mark: '' }) + list).slice(0, 32)
  const secrets = sha256(certificates.map(({ pem }) => pem).join('')).slice(0, 32)
  return {
    backends,
    maps,
    certificates,
    shape,
    secrets,
    files: [
      ...certificates.map(({ host, pem }) => ({ name: certificateName(host), content: pem, mode: 0o640 })),
      { name: certificateList, content: list, mode: 0o640 },
      ...[...maps].map(([name, entries]) => ({ name, content: formatMap(entries), mode: 0o640 })),
      { name: configName, content: proxyConfig({ ...options, mark: `${shape} ${secrets}` }), mode: 0o640 },
    ],
  }
}

export function initialConfig(httpPort: number, httpsPort: number, ipv6: boolean): string {
  const nothing = { applications: [], certificates: [], challenges: [], trustedProxies: [], probeKey: '' }
  const routing = { httpPorts: [httpPort], httpsPorts: [httpsPort], ...nothing }
  return planProxy(routing, ipv6).files.find(({ name }) => name === configName)?.content ?? ''
}

export const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

const formatMap = (entries: Map<string, string>) =>
  [...entries].map(([key, value]) => `${key} ${value}\n`).join('')

function planMaps({ applications, challenges, trustedProxies, probeKey }: Routing): ProxyPlan['maps'] {
  const domains = applications.flatMap((application) =>
    application.domains.map((domain) => ({
      ...domain,
      route: `${domain.host}${domain.path.replace(/\/?$/, '/')}`,
      backend: backendName(application.id, domain.service, domain.port),
      maintenance: application.maintenance,
    })),
  )
  const secured = new Set(domains.flatMap(({ host, secure }) => (secure === null ? [] : [host])))
  // A host with HTTPS also needs entries for its routes without HTTPS; otherwise a shorter path would match them.
  const beside = domains.filter(({ host }) => secured.has(host))
  const inMaintenance = domains.filter(({ maintenance }) => maintenance)
  return new Map<MapName, Map<string, string>>([
    [mapNames.routes, sorted(domains.map(({ route, backend }) => [route, backend]))],
    [mapNames.secure, sorted(beside.map(({ route, secure }) => [route, secure ?? notSecure]))],
    [mapNames.trusted, sorted(listTrustedRanges(trustedProxies).map((range) => [range, '1']))],
    [mapNames.probes, new Map(probeKey === '' ? [] : [[probeKey, '1']])],
    [mapNames.maintenance, sorted(inMaintenance.map(({ backend }) => [backend, '1']))],
    [
      mapNames.challenges,
      sorted(
        challenges.map(({ host, token, keyAuthorization }) => [
          `${host}${challengePath}${token}`,
          keyAuthorization,
        ]),
      ),
    ],
  ])
}

const listTrustedRanges = (trusted: readonly string[]) =>
  trusted.flatMap((entry) => (entry === cloudflarePreset ? cloudflareRanges : [entry]))

const sorted = (entries: [string, string][]) => new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))

export interface Routing {
  httpPorts: readonly number[]
  httpsPorts: readonly number[]
  applications: readonly RoutedApplication[]
  certificates: readonly ServedCertificate[]
  challenges: readonly RoutedChallenge[]
  /** Reverse proxies in front of this one: IP addresses, ranges and presets. */
  trustedProxies: readonly string[]
  /** Value of the header that marks requests of Slipway; see `areas/proxies/read-routing.ts`. */
  probeKey: string
}

interface RoutedChallenge {
  host: string
  token: string
  keyAuthorization: string
}

export interface RoutedApplication {
  id: string
  replicas: number
  maintenance: boolean
  /** Path of the HTTP health check; null for a TCP check. Always null for compose services. */
  healthPath: string | null
  domains: readonly RoutedDomain[]
  ports: readonly RoutedPort[]
  instances: readonly RoutedInstance[]
}

interface RoutedDomain {
  service: string
  host: string
  path: string
  port: number | null
  /** Host that HTTP requests are redirected to, with its port unless that is 443; null without HTTPS. */
  secure: string | null
}

interface RoutedPort {
  service: string
  host: string
  source: number
  target: number
}

export interface RoutedInstance {
  service: string
  slot: number
  address: string
  port: number | null
  serving: boolean
}

export interface ServedCertificate {
  host: string
  pem: string
}

export interface Backend {
  name: string
  listens: ProxyListener | null
  healthPath: string | null
  size: number
  places: ReadonlyMap<number, BackendServer>
}

export interface ProxyListener {
  host: string
  port: number
}

export interface BackendServer {
  address: string
  port: number
  serving: boolean
}

/** The service comes last, because its name may contain any character. */
const backendName = (application: string, service = '', port: number | null = null) =>
  `${application}${port === null ? '' : `.${port}`}${service === '' ? '' : `-${service}`}`

const listenerName = (application: string, { host, source }: RoutedPort) =>
  `${application}:${source}${host === '' ? '' : `:${host}`}`

export const parseBackendApplication = (backend: string) => backend.split(/[.:-]/, 1)[0] ?? ''

const listBackends = ({ applications }: Pick<Routing, 'applications'>): Backend[] =>
  applications.flatMap((application) => [
    ...listRoutedServices(application).flatMap((service) => webBackends(application, service)),
    ...application.ports.map((port) =>
      backend(application, listenerName(application.id, port), port.service, () => port.target, {
        listens: { host: port.host, port: port.source },
      }),
    ),
  ])

/**
 * Lists services with a domain. The service of an image always has a backend, so that its first domain needs no reload.
 */
function listRoutedServices({ domains }: RoutedApplication): string[] {
  const named = new Set(domains.map(({ service }) => service))
  return named.size > 0 ? [...named].toSorted() : ['']
}

function webBackends(application: RoutedApplication, service: string): Backend[] {
  const { id, healthPath } = application
  const domains = application.domains.filter((domain) => domain.service === service)
  const others = new Set(domains.flatMap(({ port }) => (port === null ? [] : [port])))
  const isUsed = domains.some(({ port }) => port === null)
  return [
    backend(application, backendName(id, service), service, isUsed ? ({ port }) => port : () => null, {
      healthPath: service === '' ? healthPath : null,
    }),
    ...[...others]
      .toSorted((a, b) => a - b)
      .map((port) => backend(application, backendName(id, service, port), service, () => port)),
  ]
}

function backend(
  application: RoutedApplication,
  name: string,
  service: string,
  toPort: (instance: RoutedInstance) => number | null,
  more: Partial<Pick<Backend, 'healthPath' | 'listens'>> = {},
): Backend {
  const ours = application.instances.filter((instance) => instance.service === service)
  const places = ours.flatMap((instance): [number, BackendServer][] => {
    const port = toPort(instance)
    return port === null
      ? []
      : [[instance.slot, { address: instance.address, port, serving: instance.serving }]]
  })
  return {
    name,
    listens: null,
    healthPath: null,
    ...more,
    size: slotCount(application),
    places: new Map(places),
  }
}

/**
 * Returns enough slots for two generations of containers and some growth, to avoid reloads. The services of an
 * application share the slots.
 */
function slotCount({ replicas, instances }: RoutedApplication): number {
  const wanted = Math.max(2 * replicas + 2, ...instances.map(({ slot }) => slot))
  return Math.ceil(wanted / 4) * 4
}
