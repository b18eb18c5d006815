import { Boxes } from 'lucide-react'
import { type Application, applicationsQuery } from '../areas/applications/queries.ts'
import { sourceLabel } from '../areas/applications/source-label.ts'
import { byText, byTime } from '../ui/sort.ts'
import type { Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { ListPage } from './list-page.tsx'

export function ApplicationsPage() {
  return (
    <ListPage
      title="Applications"
      things="applications"
      icon={Boxes}
      empty={{
        title: 'No applications yet',
        text: 'An application is what you run for others: a website, an API, a database. It comes from a repository, a container image or a compose file and runs on your servers.',
      }}
      columns={columns}
      query={applicationsQuery}
    />
  )
}

const columns: [Column<Application>, ...Column<Application>[]] = [
  { head: 'Name', cell: ({ name }) => <bdi>{name}</bdi>, sort: byText(({ name }) => name) },
  {
    head: 'Source',
    cell: ({ source }) => sourceLabel(source.type),
    sort: byText(({ source }) => sourceLabel(source.type)),
  },
  {
    head: 'Created',
    cell: ({ created_at: at }) => <Time at={at} />,
    narrow: true,
    sort: byTime(({ created_at: at }) => at),
  },
]
