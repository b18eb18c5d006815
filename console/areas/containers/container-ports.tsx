import { Address } from '../../lib/address.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { Container } from './queries.ts'

export function ContainerPorts({ ports, most = Infinity }: { ports: readonly Port[]; most?: number }) {
  const all = formatPorts(ports)
  if (all.length === 0) return <span className="text-muted">None</span>
  const left = all.slice(most)
  return (
    <ul className="flex flex-col items-start gap-0.5">
      {all.slice(0, most).map((port) => (
        <li
          key={`${port.address} ${port.words}`}
          className={classNames('flex flex-wrap gap-x-1', !port.published && 'text-muted')}
        >
          <One port={port} />
        </li>
      ))}
      {left.length > 0 && (
        <li className="text-xs text-muted" title={left.map(({ words }) => words).join(', ')}>
          and {left.length} more
        </li>
      )}
    </ul>
  )
}

const One = ({ port }: { port: ContainerPort }) => (
  <>
    {port.address !== null && <Address address={port.address} />}
    <span className="font-mono text-sm whitespace-nowrap">{port.words}</span>
  </>
)

type Port = Container['ports'][number]

interface ContainerPort {
  /** The address is null for ports on all addresses or on loopback, which `words` shows instead. */
  address: string | null
  /** Text such as "8080 → 80/tcp" or "127.0.0.1:8080 → 80/tcp", or "80/tcp" for a port that is not published. */
  words: string
  published: boolean
}

const everywhere: readonly (string | null)[] = ['0.0.0.0', '::', '']

/** Docker lists IPv4 and IPv6 bindings separately, so merge those with the same text. */
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

/** Returns '' for other addresses. Loopback addresses are the same on every server, so they need no masking. */
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
