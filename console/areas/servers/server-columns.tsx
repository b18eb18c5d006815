import { Address } from '../../lib/address.tsx'
import { byNumber, byText } from '../../ui/sort.ts'
import type { Column } from '../../ui/table.tsx'
import type { Server } from './queries.ts'
import { ServerStatus } from './server-status.tsx'
import { serverUrgency } from './server-words.ts'

export const serverColumns: Record<'name' | 'status' | 'address', Column<Server>> = {
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
  address: {
    head: 'Address',
    cell: ({ address }) => <Address address={address} />,
    sort: byText(({ address }) => address),
  },
}
