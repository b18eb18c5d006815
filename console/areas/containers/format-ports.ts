import type { Container } from './queries.ts'

export type Port = Container['ports'][number]

export interface ContainerPort {
  /** Null for all addresses and loopback. */
  address: string | null
  /** For example "8080 → 80/tcp", "127.0.0.1:8080 → 80/tcp", or "80/tcp" if not published. */
  words: string
  published: boolean
}

const everywhere: readonly (string | null)[] = ['0.0.0.0', '::', '']

/** Docker lists IPv4 and IPv6 bindings separately. */
export function formatPorts(ports: readonly Port[]): ContainerPort[] {
  const found = new Map<string, ContainerPort>()
  for (const port of ports) {
    const inside = `${port.container_port}/${port.protocol}`
    const loopback = loopbackOf(port, ports)
    const address = everywhere.includes(port.address) || loopback !== '' ? null : port.address
    const words = port.port === null ? inside : `${loopback}${port.port} → ${inside}`
    found.set(`${address} ${words}`, { address, words, published: port.port !== null })
  }
  return [...found.values()].sort((a, b) => Number(b.published) - Number(a.published))
}

const local: readonly (string | null)[] = ['127.0.0.1', '::1']

/** Loopback addresses are the same on every server, so they need no masking. Empty for others. */
function loopbackOf(port: Port, all: readonly Port[]): string {
  const isTwin = (other: Port) =>
    local.includes(other.address) &&
    other.address !== port.address &&
    other.port === port.port &&
    other.container_port === port.container_port &&
    other.protocol === port.protocol
  if (local.includes(port.address) && all.some(isTwin)) return 'localhost:'
  if (port.address === '::1') return '[::1]:'
  return port.address?.startsWith('127.') ? `${port.address}:` : ''
}
