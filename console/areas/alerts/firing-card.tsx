import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Table } from '../../ui/table/table.tsx'
import { firingColumns } from './incident-columns.tsx'
import { ListBox } from './list-box.tsx'
import { MuteIncident } from './mute-menu.tsx'
import { type Incident, incidentsQuery } from './queries.ts'

export function FiringCard({ manages }: { manages: boolean }) {
  const firing = useInfiniteQuery(incidentsQuery('firing'))
  const pending = useInfiniteQuery(incidentsQuery('pending'))
  const lost = (firing.isError && !firing.data) || (pending.isError && !pending.data)
  const rows = firing.data && pending.data && [...firing.data, ...pending.data]
  const retry = () => void Promise.all([firing.refetch(), pending.refetch()])
  return (
    <>
      <ListBox>
        {lost && (
          <Problem title="Could not load active alerts" onRetry={retry}>
            Try again in a moment.
          </Problem>
        )}
        {rows?.length === 0 && (
          <EmptyState icon={CircleCheck} title="All clear">
            Active alerts appear here until they resolve.
          </EmptyState>
        )}
        {!lost && rows?.length !== 0 && (
          <Table
            label="Firing"
            columns={firingColumns}
            rows={rows}
            rowKey={({ id }) => id}
            href={({ id }) => `?incident=${id}`}
            linkState={dialogOpenedState}
            skeletonRows={3}
            {...(manages && { actions: renderMute })}
          />
        )}
      </ListBox>
      <LoadMore query={firing.hasNextPage ? firing : pending} />
    </>
  )
}

const renderMute = (incident: Incident) => <MuteIncident incident={incident} />
