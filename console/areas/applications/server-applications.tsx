import { useInfiniteQuery } from '@tanstack/react-query'
import { applicationPath, newServerApplicationPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { applicationColumns } from './application-columns.tsx'
import { serverApplicationsQuery } from './queries.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'

export function ServerApplications({ serverId, manages }: { serverId: string; manages: boolean }) {
  const query = useInfiniteQuery(serverApplicationsQuery(serverId))
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
      <QueryTable
        label="Applications"
        things="applications"
        query={query}
        empty={{ title: 'No applications on this server yet' }}
        columns={[name, state, source, containers]}
        rowKey={({ id }) => id}
        href={({ id }) => applicationPath(id)}
        skeletonRows={2}
      />
      {query.hasNextPage && (
        <div className="border-t border-line p-3">
          <LoadMore query={query} />
        </div>
      )}
    </Card>
  )
}

const { name, state, source, containers } = applicationColumns
