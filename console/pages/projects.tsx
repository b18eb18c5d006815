import { FolderClosed } from 'lucide-react'
import { type Project, projectsQuery } from '../areas/projects/queries.ts'
import { byText, byTime } from '../ui/sort.ts'
import type { Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { ListPage } from './list-page.tsx'

export function ProjectsPage() {
  return (
    <ListPage
      title="Projects"
      things="projects"
      icon={FolderClosed}
      empty={{
        title: 'No projects yet',
        text: 'A project keeps together the applications and servers of one purpose, such as a shop and its database, so that you see at once how it is doing.',
      }}
      columns={columns}
      query={projectsQuery}
    />
  )
}

const columns: [Column<Project>, ...Column<Project>[]] = [
  { head: 'Name', cell: ({ name }) => <bdi>{name}</bdi>, sort: byText(({ name }) => name) },
  {
    head: 'Created',
    cell: ({ created_at: at }) => <Time at={at} />,
    narrow: true,
    sort: byTime(({ created_at: at }) => at),
  },
]
