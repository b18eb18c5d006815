import { isIP, isIPv6 } from 'node:net'
import { reservedPorts } from '../../../contract/shared/application-fields.ts'
import type { Model, Service, ServicePort } from './model.ts'
import { hasNetworks } from './proxy-network.ts'

export interface ProxyPort {
  service: string
  host: string
  source: number
  target: number
}

interface DockerPort extends Omit<ProxyPort, 'source'> {
  source: number | null
  protocol: string
}

export interface PublishedPorts {
  viaProxy: ProxyPort[]
  viaDocker: DockerPort[]
  warnings: string[]
  problems: string[]
}

const protocols = new Set(['tcp', 'udp', 'sctp'])

/** Limited, because the proxy listens on every published TCP port. */
const maxProxyPorts = 1_000
/** Threshold of a warning, because Docker starts a process for each port. */
const manyDockerPorts = 1_000

export function publishedPorts({ services }: Model, proxyPorts: readonly number[]): PublishedPorts {
  const ports: PublishedPorts = { viaProxy: [], viaDocker: [], warnings: [], problems: [] }
  for (const [name, service] of Object.entries(services).toSorted(([a], [b]) => a.localeCompare(b)))
    for (const port of service.ports ?? [])
      if (hasNetworks(service)) place(ports, name, port, proxyPorts)
      else ports.warnings.push(withoutNetwork(name, service, port))
  ports.viaProxy = withoutRepeats(ports.viaProxy)
  ports.viaDocker = withoutRepeats(ports.viaDocker)
  if (ports.viaProxy.length > maxProxyPorts)
    ports.problems.push(
      `The file publishes ${ports.viaProxy.length.toLocaleString('en')} TCP ports. The maximum is ${maxProxyPorts.toLocaleString('en')}. Use a smaller range.`,
    )
  if (ports.viaDocker.length > manyDockerPorts)
    ports.warnings.push(
      `The file publishes ${ports.viaDocker.length.toLocaleString('en')} UDP or SCTP ports. Docker starts a process for each, which takes minutes and a lot of memory. Use a smaller range, or network_mode: host.`,
    )
  ports.problems.push(...clashesIn([...ports.viaProxy.map(toTcpPort), ...ports.viaDocker]))
  return { ...ports, warnings: firstOf(ports.warnings), problems: firstOf(ports.problems) }
}

/** A file can list a port for 0.0.0.0 and for [::], which both mean all addresses here. */
const withoutRepeats = <T extends object>(ports: readonly T[]): T[] => [
  ...new Map(ports.map((port) => [JSON.stringify(port), port])).values(),
]

const maxSentences = 20

/** Limits the sentences, because a range can cause one for each of its ports. */
const firstOf = (sentences: string[]) =>
  sentences.length > maxSentences
    ? [
        ...sentences.slice(0, maxSentences),
        `${sentences.length - maxSentences} more ${sentences.length - maxSentences === 1 ? 'port is' : 'ports are'} affected.`,
      ]
    : sentences

function withoutNetwork(name: string, { network_mode }: Service, { target }: ServicePort): string {
  const reason = network_mode === 'host' ? 'is in the host network' : 'has no network of its own'
  return `Port ${target} of ${name} is not published: ${name} ${reason}${network_mode === 'host' ? ', where it already listens on its ports' : ''}.`
}

function place(ports: PublishedPorts, service: string, port: ServicePort, proxyPorts: readonly number[]) {
  const { target, published, protocol = 'tcp', host_ip = '' } = port
  const range = portsInRange(published ?? '')
  const [source = null] = range
  const host = parseHost(host_ip)
  if (host === undefined)
    ports.problems.push(
      `Port ${target} of ${service} cannot be published on ${host_ip}, which is not an IP address.`,
    )
  else if (published !== undefined && source === null && published !== '' && published !== '0')
    ports.problems.push(
      `Port ${target} of ${service} cannot be published on ${published}, which is not a valid port.`,
    )
  else if (!protocols.has(protocol))
    ports.problems.push(
      `Port ${target} of ${service} cannot be published with the protocol ${protocol}. Use tcp or udp.`,
    )
  else if (range.some((port) => reservedPorts.has(port)))
    ports.problems.push(
      `${service} cannot use port ${source}: ports 22, 2375 and 2376 are reserved for the server.`,
    )
  else if (isPublishedByDocker(port)) ports.viaDocker.push({ service, host, source, target, protocol })
  else if (source === null) ports.warnings.push(chosen(service, target))
  else if (proxyPorts.includes(source)) ports.warnings.push(toProxyPort(service, source))
  else {
    if (range.length > 1) ports.warnings.push(firstOnly(service, published ?? '', source))
    ports.viaProxy.push({ service, host, source, target })
  }
}

function parseHost(written: string): string | undefined {
  const host = written.replaceAll(/^\[|\]$/g, '')
  if (host === '') return ''
  if (isIP(host) === 0 || host.includes('%')) return undefined
  const plain = isIPv6(host) ? plainIPv6(host) : host
  return plain === '0.0.0.0' || plain === '::' ? '' : plain
}

/** An IPv4-mapped IPv6 address listens on the same address as its IPv4 form. */
function plainIPv6(host: string): string {
  const plain = new URL(`http://[${host}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(plain) ?? []
  if (high === undefined || low === undefined) return plain
  return [high, low]
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.')
}

const chosen = (service: string, target: number) =>
  `Port ${target} of ${service} is not published: no server port is set. Add a domain to the service, or set a server port.`

const toProxyPort = (service: string, source: number) =>
  `Port ${source} of ${service} is not published: the proxy uses port ${source}. Add a domain to the service.`

const firstOnly = (service: string, range: string, source: number) =>
  `${service} uses only port ${source} of ${range}: one port serves all its containers.`

interface BoundPort {
  service: string
  host: string
  source: number | null
  protocol: string
}

const toTcpPort = (port: ProxyPort): BoundPort => ({ ...port, protocol: 'tcp' })

/** Grouped by port, because a file can publish tens of thousands of ports. */
function clashesIn(all: readonly BoundPort[]): string[] {
  const byPort = new Map<string, BoundPort[]>()
  for (const port of all) {
    if (port.source === null) continue
    const key = `${port.source}/${port.protocol}`
    const same = byPort.get(key)
    if (same) same.push(port)
    else byPort.set(key, [port])
  }
  const clashes = [...byPort.values()].flatMap((same) =>
    same.flatMap((port, index) =>
      same
        .slice(0, index)
        .flatMap((earlier) => (hostsOverlap(port, earlier) ? [describeClash(earlier, port)] : [])),
    ),
  )
  return [...new Set(clashes)]
}

const hostsOverlap = (a: { host: string }, b: { host: string }) =>
  a.host === b.host || a.host === '' || b.host === ''

const describeClash = (port: BoundPort, clash: BoundPort) =>
  port.service === clash.service
    ? `${port.service} publishes port ${port.source} twice. Remove one.`
    : `${port.service} and ${clash.service} both publish port ${port.source}. Change one of them.`

export function parsePortRange(text: string): [number, number] | undefined {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? []
  const [from, to] = [Number(first), Number(last)]
  return from >= 1 && to <= 65_535 && from <= to ? [from, to] : undefined
}

export function portsInRange(text: string): number[] {
  const [from, to] = parsePortRange(text) ?? [1, 0]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

export interface ListenAddress {
  host: string
  source: number
}

export const listenAddressesOverlap = (a: ListenAddress, b: ListenAddress): boolean =>
  a.source === b.source && hostsOverlap(a, b)

/** The proxy forwards TCP only. */
export const isPublishedByDocker = ({ protocol = 'tcp' }: { protocol?: string | undefined }) =>
  protocol !== 'tcp'

export function portBindings(service: Service) {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {}
  if (!hasNetworks(service)) return bindings
  for (const { target, published = '', protocol, host_ip = '' } of service.ports ?? [])
    if (isPublishedByDocker({ protocol }))
      (bindings[`${target}/${protocol}`] ??= []).push({ HostIp: host_ip, HostPort: published })
  return bindings
}

export const exposedPorts = (service: Service): Record<string, object> =>
  Object.fromEntries([
    ...(service.expose ?? []).flatMap((line) => {
      const [range = '', protocol = 'tcp'] = line.split('/')
      return portsInRange(range).map((port): [string, object] => [`${port}/${protocol}`, {}])
    }),
    ...Object.keys(portBindings(service)).map((key): [string, object] => [key, {}]),
  ])

export function declaredPorts({ services }: Model, name: string): number[] {
  const { ports = [], expose = [] } = services[name] ?? {}
  const exposed = (Array.isArray(expose) ? expose : []).map(String)
  const named = [
    ...ports.filter(({ protocol = 'tcp' }) => protocol === 'tcp').map(({ target }) => target),
    ...exposed.filter((port) => /^\d+(\/tcp)?$/.test(port)).map((port) => Number.parseInt(port, 10)),
  ]
  return [...new Set(named)].toSorted((a, b) => a - b)
}
