import { AddressText } from '../../lib/address-text.tsx'
import { splitAddresses } from '../../lib/split-addresses.ts'
import { troubleOf } from './cloud-words.ts'
import type { Server } from './queries.ts'
import { ServerBadge } from './server-badge.tsx'

/** How a server is, and under it why it is not well: what its cloud did to it explains what one sees of that. */
export function ServerStatus({ server }: { server: Server }) {
  const reason = troubleOf(server) ?? server.reason
  return (
    <div className="flex min-w-0 flex-col gap-0.5 py-1.5 max-sm:items-end max-sm:py-0">
      <span>
        <ServerBadge status={server.status} />
      </span>
      {reason !== null && (
        <span
          title={splitAddresses(reason).some(({ isAddress }) => isAddress) ? undefined : reason}
          className="line-clamp-2 max-w-xl text-xs text-muted wrap-anywhere"
        >
          <AddressText>{reason}</AddressText>
        </span>
      )}
    </div>
  )
}
