import { Server as ServerIcon } from 'lucide-react'
import { type Server, serversQuery } from '../areas/servers/queries.ts'
import { ServerBadge } from '../areas/servers/server-badge.tsx'
import { serverUrgency } from '../areas/servers/server-words.ts'
import { Address } from '../lib/address.tsx'
import { byNumber, byText, byTime } from '../ui/sort.ts'
import type { Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { ListPage } from './list-page.tsx'

export function ServersPage() {
  return (
    <ListPage
      title="Servers"
      things="servers"
      icon={ServerIcon}
      empty={{
        title: 'No servers yet',
        text: 'A server is a machine of yours, rented or your own, that your applications run on. Here you see which ones are well and which need you.',
      }}
      columns={columns}
      query={serversQuery}
    />
  )
}

const columns: [Column<Server>, ...Column<Server>[]] = [
  { head: 'Name', cell: ({ name }) => <bdi>{name}</bdi>, sort: byText(({ name }) => name) },
  {
    head: 'Status',
    cell: ({ status }) => <ServerBadge status={status} />,
    sort: byNumber(({ status }) => serverUrgency(status), ['most urgent first', 'most urgent last']),
  },
  {
    head: 'Address',
    cell: ({ address }) => <Address address={address} />,
    sort: byText(({ address }) => address),
  },
  {
    head: 'Added',
    cell: ({ created_at: at }) => <Time at={at} />,
    narrow: true,
    sort: byTime(({ created_at: at }) => at),
  },
]
