import { isIP, isIPv6 } from 'node:net'
import { reservedPorts } from '../../../contract/shared/application-fields.ts'
import { meets } from './meets.ts'
import type { Model, Service, ServicePort } from './model.ts'
import { hasNetworks } from './own-network.ts'
import { rangeOf } from './port-range.ts'
import { isByDocker } from './published-by-docker.ts'

/** `host` is where the server listens; empty for everywhere. */
export interface LiftedPort {
  service: string
  host: string
  source: number
  target: number
}

interface PortByDocker extends Omit<LiftedPort, 'source'> {
  /** None where Docker chooses it. */
  source: number | null
  protocol: string
}

export interface Ports {
  /** Those that the proxy carries. */
  lifted: LiftedPort[]
  byDocker: PortByDocker[]
  warnings: string[]
  /** Why the file cannot be deployed. */
  problems: string[]
}

const protocols = new Set(['tcp', 'udp', 'sctp'])

/** A proxy with more has been asked for the wrong thing. */
const mostPorts = 100

/** What becomes of the ports that a file publishes. `proxyPorts` are those that the proxy itself listens on. */
export function portsOf({ services }: Model, proxyPorts: readonly number[]): Ports {
  const ports: Ports = { lifted: [], byDocker: [], warnings: [], problems: [] }
  for (const [name, service] of Object.entries(services).toSorted(([a], [b]) => a.localeCompare(b)))
    for (const port of service.ports ?? [])
      if (hasNetworks(service)) place(ports, name, port, proxyPorts)
      else ports.warnings.push(withoutNetwork(name, service, port))
  if (ports.lifted.length > mostPorts)
    ports.problems.push(`The file publishes more than ${mostPorts} ports. Publish fewer.`)
  ports.problems.push(...clashesIn([...ports.lifted.map(ofTcp), ...ports.byDocker]))
  return ports
}

function withoutNetwork(name: string, { network_mode }: Service, { target }: ServicePort): string {
  const why = network_mode === 'host' ? 'in the server’s own network' : 'without a network of its own'
  return `Port ${target} of ${name} is not published: ${name} is ${why}${network_mode === 'host' ? ', where it listens on its ports anyway' : ''}.`
}

function place(ports: Ports, service: string, port: ServicePort, proxyPorts: readonly number[]) {
  const { target, published, protocol = 'tcp', host_ip = '' } = port
  const range = rangeOf(published ?? '')
  const [source = null] = range
  const host = hostOf(host_ip)
  if (host === undefined)
    ports.problems.push(`${host_ip} is no address that ${service} can be published on. Write an IP address.`)
  else if (published !== undefined && source === null && published !== '' && published !== '0')
    ports.problems.push(`${published} is no port that ${service} can be published on.`)
  else if (!protocols.has(protocol))
    ports.problems.push(`${protocol} is no protocol that ${service} can be published with. Write tcp or udp.`)
  else if (range.some((one) => reservedPorts.has(one)))
    ports.problems.push(`${service} cannot have port ${source}: the server itself needs 22, 2375 and 2376.`)
  else if (isByDocker(port)) ports.byDocker.push({ service, host, source, target, protocol })
  else if (source === null) ports.warnings.push(chosen(service, target))
  else if (proxyPorts.includes(source)) ports.warnings.push(ofProxy(service, source))
  else {
    if (range.length > 1) ports.warnings.push(firstOnly(service, published ?? '', source))
    ports.lifted.push({ service, host, source, target })
  }
}

/** As one would write it; nothing for what is no address. */
function hostOf(written: string): string | undefined {
  const host = written.replaceAll(/^\[|\]$/g, '')
  if (host === '') return ''
  if (isIP(host) === 0 || host.includes('%')) return undefined
  const plain = isIPv6(host) ? plainIPv6(host) : host
  return plain === '0.0.0.0' || plain === '::' ? '' : plain
}

/** One of IPv4 that is written as one of IPv6 is where the other listens, too. */
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
  `Port ${target} of ${service} is not published, since no port of the server is named for it. Give the service a domain, or name one.`

const ofProxy = (service: string, source: number) =>
  `Port ${source} of ${service} is not published: port ${source} is the proxy’s. Give the service a domain.`

const firstOnly = (service: string, range: string, source: number) =>
  `Of ${range}, ${service} gets port ${source}: one is enough for all of its containers.`

interface Bound {
  service: string
  host: string
  source: number | null
  protocol: string
}

const ofTcp = (port: LiftedPort): Bound => ({ ...port, protocol: 'tcp' })

function clashesIn(all: readonly Bound[]): string[] {
  const clashes = all.flatMap((one, at) =>
    all.slice(0, at).flatMap((other) => (isClash(one, other) ? [clashOf(other, one)] : [])),
  )
  return [...new Set(clashes)]
}

const isClash = ({ source, ...one }: Bound, other: Bound) =>
  source !== null &&
  other.source !== null &&
  one.protocol === other.protocol &&
  meets({ ...one, source }, { ...other, source: other.source })

const clashOf = (one: Bound, other: Bound) =>
  one.service === other.service
    ? `${one.service} publishes port ${one.source} twice. Take one out.`
    : `${one.service} and ${other.service} both publish port ${one.source}. Give one of them another.`
