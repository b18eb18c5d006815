import { Address, AddressSpan } from '../../lib/address.tsx'
import { byNumber, byText } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { findBlockingDrift } from './cloud-status.ts'
import type { Server } from './queries.ts'
import { ServerBadge, serverUrgency } from './server-status.tsx'

function ServerStatus({ server }: { server: Server }) {
  const reason = findBlockingDrift(server) ?? server.reason
  return (
    <div className="flex min-w-0 flex-col gap-0.5 py-1.5 max-sm:items-end max-sm:py-0">
      <span>
        <ServerBadge status={server.status} />
      </span>
      {reason !== null && (
        <AddressSpan className="line-clamp-2 max-w-xl text-xs text-muted wrap-anywhere">{reason}</AddressSpan>
      )}
    </div>
  )
}

export const serverColumns: Record<'name' | 'status' | 'address', Column<Server>> = {
  name: {
    head: 'Name',
    cell: ({ name }) => <bdi className="sm:inline-block sm:min-w-20">{name}</bdi>,
    sort: byText(({ name }) => name),
  },
  status: {
    head: 'Status',
    cell: (server) => <ServerStatus server={server} />,
    sort: byNumber(({ status }) => serverUrgency(status), ['most urgent first', 'least urgent first']),
  },
  address: {
    head: 'Address',
    cell: ({ address }) => <Address address={address} />,
    sort: byText(({ address }) => address),
  },
}
