import { Address, AddressSpan } from '../../lib/address.tsx'
import { byNumber, byText } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { formatMonthlyCost, findBlockingDrift } from './cloud-status.ts'
import { type CloudServer, isCloudServer } from './creation/creation-steps.ts'
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

export const serverColumns: Record<'name' | 'status' | 'provider' | 'address', Column<Server>> = {
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
  provider: {
    head: 'Provider',
    cell: (server) => (isCloudServer(server) ? <Provided server={server} /> : null),
    sort: byText(({ cloud }) => cloud?.provider_name ?? null),
    roomy: true,
  },
  address: {
    head: 'Address',
    cell: ({ address }) => <Address address={address} />,
    sort: byText(({ address }) => address),
  },
}

const Provided = ({ server: { type, cloud } }: { server: CloudServer }) => (
  <span className="flex flex-col py-1.5 whitespace-nowrap max-sm:items-end max-sm:py-0">
    {cloud.provider_name}
    <span className="text-xs text-muted">
      {[type, costs(cloud) && formatMonthlyCost(cloud)].filter(Boolean).join(' · ')}
    </span>
  </span>
)

const costs = ({ id, status }: CloudServer['cloud']) => id !== null && status !== 'deleted'
