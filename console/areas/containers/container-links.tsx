import { RevealableAddress } from '../../lib/address.tsx'
import type { ContainerDetails } from './queries.ts'

/** What of the server, or of its volumes, stands inside a container. */
export function ContainerMounts({ mounts }: Pick<ContainerDetails, 'mounts'>) {
  if (mounts.length === 0) return <p className="text-muted">Nothing is mounted.</p>
  return (
    <ul className="flex flex-col gap-2.5">
      {mounts.map(({ type, name, source, target, read_only: readOnly }) => (
        <li key={target} className="flex flex-col wrap-anywhere">
          <span className="font-mono text-sm" dir="ltr">
            {target}
          </span>
          <span className="text-sm text-muted">
            {kinds[type] ?? type} <span className="font-mono text-xs">{name ?? source}</span>
            {readOnly && ', only to read'}
          </span>
        </li>
      ))}
    </ul>
  )
}

const kinds: Record<string, string> = {
  bind: 'From the server:',
  volume: 'Volume',
  tmpfs: 'In memory, lost when it stops',
}

export function ContainerNetworks({ networks }: Pick<ContainerDetails, 'networks'>) {
  if (networks.length === 0) return <span className="text-muted">None</span>
  return (
    <ul className="flex flex-col gap-1">
      {networks.map(({ name, address }) => (
        <li key={name} className="flex flex-wrap items-center gap-x-2">
          <span>{name}</span>
          {address && <RevealableAddress address={address} />}
        </li>
      ))}
    </ul>
  )
}
