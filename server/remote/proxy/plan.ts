import { createHash } from 'node:crypto'
import { type Backend, backendName, listBackends, type Routing, type ServedCertificate } from './routing.ts'
import { certificateList, challengePath, proxyPath, mapNames, notSecure, proxyConfig } from './config.ts'

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
  /** Hash of everything that needs a reload. */
  shape: string
  secrets: string
}

export const configName = 'haproxy.cfg'
export const certificateName = (host: string) => `${host}.pem`

export function planProxy(routing: Routing, ipv6: boolean): ProxyPlan {
  const backends = listBackends(routing)
  const maps = mapsOf(routing)
  const certificates = [...routing.certificates].sort((one, other) => (one.host < other.host ? -1 : 1))
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
      ...[...maps].map(([name, entries]) => ({ name, content: textOf(entries), mode: 0o640 })),
      { name: configName, content: proxyConfig({ ...options, mark: `${shape} ${secrets}` }), mode: 0o640 },
    ],
  }
}

/** Configuration of a new proxy, which returns 404. */
export function initialConfig(httpPort: number, httpsPort: number, ipv6: boolean): string {
  const nothing = { applications: [], certificates: [], challenges: [] }
  const routing = { httpPorts: [httpPort], httpsPorts: [httpsPort], ...nothing }
  return planProxy(routing, ipv6).files.find(({ name }) => name === configName)?.content ?? ''
}

export const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

const textOf = (entries: Map<string, string>) =>
  [...entries].map(([key, value]) => `${key} ${value}\n`).join('')

function mapsOf({ applications, challenges }: Routing): ProxyPlan['maps'] {
  const domains = applications.flatMap((application) =>
    application.domains.map((domain) => ({
      ...domain,
      route: `${domain.host}${domain.path.replace(/\/?$/, '/')}`,
      backend: backendName(application.id, domain.service, domain.port),
      maintenance: application.maintenance,
    })),
  )
  const secured = new Set(domains.flatMap(({ host, secure }) => (secure === null ? [] : [host])))
  // Includes routes without HTTPS next to one with it; otherwise the shorter path would match.
  const beside = domains.filter(({ host }) => secured.has(host))
  const inMaintenance = domains.filter(({ maintenance }) => maintenance)
  return new Map<MapName, Map<string, string>>([
    [mapNames.routes, sorted(domains.map(({ route, backend }) => [route, backend]))],
    [mapNames.secure, sorted(beside.map(({ route, secure }) => [route, secure ?? notSecure]))],
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

const sorted = (entries: [string, string][]) =>
  new Map([...entries].sort(([one], [other]) => (one < other ? -1 : 1)))
