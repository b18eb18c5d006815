import { Address } from '../../lib/address.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type Port, type ContainerPort, formatPorts } from './format-ports.ts'

interface ContainerPortsProps {
  ports: readonly Port[]
  /** Maximum number of ports; the rest is counted. */
  most?: number
}

/** Masks addresses of the server. */
export function ContainerPorts({ ports, most = Infinity }: ContainerPortsProps) {
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
