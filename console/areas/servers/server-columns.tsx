import { Address } from '../../lib/address.tsx'
import { byNumber, byText } from '../../ui/sort.ts'
import type { Column } from '../../ui/table.tsx'
import { costOf } from './cloud-words.ts'
import { type CloudServer, isOfCloud } from './creation-words.ts'
import type { Server } from './queries.ts'
import { ServerStatus } from './server-status.tsx'
import { serverUrgency } from './server-words.ts'

export const serverColumns: Record<'name' | 'status' | 'provider' | 'address', Column<Server>> = {
  name: {
    head: 'Name',
    cell: ({ name }) => <bdi className="sm:inline-block sm:min-w-20">{name}</bdi>,
    sort: byText(({ name }) => name),
  },
  status: {
    head: 'Status',
    cell: (server) => <ServerStatus server={server} />,
    sort: byNumber(({ status }) => serverUrgency(status), ['most urgent first', 'most urgent last']),
  },
  provider: {
    head: 'Provider',
    cell: (server) => (isOfCloud(server) ? <Provided server={server} /> : null),
    sort: byText(({ cloud }) => cloud?.provider_name ?? null),
    roomy: true,
  },
  address: {
    head: 'Address',
    cell: ({ address }) => <Address address={address} />,
    sort: byText(({ address }) => address),
  },
}

/** Who it is rented from, and what for. */
const Provided = ({ server: { type, cloud } }: { server: CloudServer }) => (
  <span className="flex flex-col py-1.5 whitespace-nowrap max-sm:items-end max-sm:py-0">
    {cloud.provider_name}
    <span className="text-xs text-muted">
      {[type, costs(cloud) && costOf(cloud)].filter(Boolean).join(' · ')}
    </span>
  </span>
)

/** What was never made, or is gone, costs nothing. */
const costs = ({ id, status }: CloudServer['cloud']) => id !== null && status !== 'deleted'
