import { Server as ServerIcon } from 'lucide-react'
import { type Server, serversQuery } from '../areas/servers/queries.ts'
import { ServerBadge } from '../areas/servers/server-badge.tsx'
import { Address } from '../lib/address.tsx'
import type { Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { ListPage } from './list-page.tsx'

export function ServersPage() {
  return (
    <ListPage
      title="Servers"
      things="servers"
      icon={ServerIcon}
      empty={{ title: 'No servers yet', text: 'A server is a machine that your applications run on.' }}
      columns={columns}
      query={serversQuery}
    />
  )
}

const columns: [Column<Server>, ...Column<Server>[]] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'Status', cell: ({ status }) => <ServerBadge status={status} /> },
  { head: 'Address', cell: ({ address }) => <Address address={address} /> },
  { head: 'Added', cell: ({ created_at: at }) => <Time at={at} />, narrow: true },
]
