import { useQuery } from '@tanstack/react-query'
import { containerPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { roleWord } from './application-words.ts'
import { type Application, type ApplicationContainer, applicationContainersQuery } from './queries.ts'

type Columns = [Column<ApplicationContainer>, ...Column<ApplicationContainer>[]]

interface ApplicationContainersProps {
  application: Pick<Application, 'id' | 'server'>
  /** As any container is told: first its name, then how it is. */
  columns: Columns
}

/** The containers of an application, and the part each of them has in it. */
export function ApplicationContainers({ application: { id, server }, columns }: ApplicationContainersProps) {
  const { data: containers, error, refetch } = useQuery(applicationContainersQuery(id))
  const [name, ...others] = columns
  return (
    <Card title="Containers" flush>
      {containers?.length === 0 && !error && (
        <EmptyState title="No containers">A deployment makes them, one for each replica.</EmptyState>
      )}
      {error && (
        <Problem title="The containers cannot be shown" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
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
    const [tone, label, help] = roleWord(container)
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
