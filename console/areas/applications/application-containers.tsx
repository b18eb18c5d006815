import { useQuery } from '@tanstack/react-query'
import { containerPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { roleBadge } from './application-status.ts'
import { type Application, type ApplicationContainer, applicationContainersQuery } from './queries.ts'

type Columns = [Column<ApplicationContainer>, ...Column<ApplicationContainer>[]]

interface ApplicationContainersProps {
  application: Pick<Application, 'id' | 'server'>
  /** Columns shared with other container lists; the name column comes first. */
  columns: Columns
}

export function ApplicationContainers({ application: { id, server }, columns }: ApplicationContainersProps) {
  const { data: containers, error, refetch } = useQuery(applicationContainersQuery(id))
  const [name, ...others] = columns
  return (
    <Card title="Containers" flush>
      {containers?.length === 0 && !error && (
        <EmptyState title="No containers">Deploy the application to create containers.</EmptyState>
      )}
      {error && (
        <Problem title="Couldn’t load containers" onRetry={() => void refetch()}>
          {error.message || 'The request failed.'}
        </Problem>
      )}
      {containers?.length !== 0 && !error && (
        <Table
          label="Containers"
          columns={[name, role, release, ...others]}
          rows={containers}
          rowKey={(container) => container.id}
          href={(container) => containerPath(server.id, container.id)}
          skeletonRows={1}
        />
      )}
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
}

const release: Column<ApplicationContainer> = {
  head: 'Release',
  cell: (container) =>
    container.release !== null && <span className="tabular-nums">{container.release}</span>,
  narrow: true,
}
