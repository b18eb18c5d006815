import { useQuery } from '@tanstack/react-query'
import { containerPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { roleBadge } from './application-status.ts'
import { type Application, type ApplicationContainer, applicationContainersQuery } from './queries.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'

type Columns = [Column<ApplicationContainer>, ...Column<ApplicationContainer>[]]

interface ApplicationContainersProps {
  application: Pick<Application, 'id' | 'server'>
  /** Columns shared with other container lists; the name column comes first. */
  columns: Columns
}

export function ApplicationContainers({ application: { id, server }, columns }: ApplicationContainersProps) {
  const [name, ...others] = columns
  return (
    <Card title="Containers" flush>
      <QueryTable
        label="Containers"
        things="containers"
        query={useQuery(applicationContainersQuery(id))}
        empty={{ title: 'No containers', text: 'Deploy the application to start its containers.' }}
        columns={[name, role, release, ...others]}
        rowKey={(container) => container.id}
        href={(container) => containerPath(server.id, container.id)}
        skeletonRows={1}
      />
    </Card>
  )
}

const role: Column<ApplicationContainer> = {
  head: 'Role',
  cell: (container) => {
    const [tone, label, help] = roleBadge(container)
    return (
      <span title={help}>
        <Badge tone={tone}>{label}</Badge>
      </span>
    )
  },
  phone: 'second',
}

const release: Column<ApplicationContainer> = {
  head: 'Release',
  cell: (container) =>
    container.release !== null && <span className="tabular-nums">{container.release}</span>,
  narrow: true,
  desk: true,
}
