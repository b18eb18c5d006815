import { Bell } from 'lucide-react'
import { type Notification, notificationsQuery } from '../areas/notifications/queries.ts'
import { byText, byTime } from '../ui/sort.ts'
import type { Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { ListPage } from './list-page.tsx'

export function NotificationsPage() {
  return (
    <ListPage
      title="Alerts"
      things="channels"
      icon={Bell}
      empty={{
        title: 'No notification channels yet',
        text: 'An alert tells you that a server or an application needs you, before somebody else does. A channel is where it reaches you, such as a mailbox or a chat.',
      }}
      look={{ columns }}
      query={notificationsQuery}
    />
  )
}

const columns: [Column<Notification>, ...Column<Notification>[]] = [
  { head: 'Channel', cell: ({ name }) => <bdi>{name}</bdi>, sort: byText(({ name }) => name) },
  { head: 'Type', cell: ({ type }) => type, sort: byText(({ type }) => type) },
  {
    head: 'Added',
    cell: ({ created_at: at }) => <Time at={at} />,
    narrow: true,
    sort: byTime(({ created_at: at }) => at),
  },
]
