import { useInfiniteQuery } from '@tanstack/react-query'
import { applicationPath, newServerApplicationPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Table } from '../../ui/table/table.tsx'
import { applicationColumns } from './application-columns.tsx'
import { serverApplicationsQuery } from './queries.ts'

export function ServerApplications({ serverId, manages }: { serverId: string; manages: boolean }) {
  const query = useInfiniteQuery(serverApplicationsQuery(serverId))
  const { data: applications } = query
  const failed = query.isError && !applications
  return (
    <Card
      title="Applications"
      flush
      action={
        manages && (
          <ButtonLink size="small" to={newServerApplicationPath(serverId)}>
            New application
          </ButtonLink>
        )
      }
    >
      {failed && (
        <Problem title="Couldn’t load applications" onRetry={() => void query.refetch()}>
          The request failed.
        </Problem>
      )}
      {applications?.length === 0 && <p className="p-4 text-muted">No applications on this server yet.</p>}
      {applications?.length !== 0 && !failed && (
        <Table
          label="Applications"
          columns={[name, state, source, address, containers]}
          rows={applications}
          rowKey={({ id }) => id}
          href={({ id }) => applicationPath(id)}
          skeletonRows={2}
        />
      )}
      {query.hasNextPage && (
        <div className="border-t border-line p-3">
          <LoadMore query={query} />
        </div>
      )}
    </Card>
  )
}

const { name, state, source, address, containers } = applicationColumns
