import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Table } from '../../ui/table/table.tsx'
import { historyColumns } from './incident-columns.tsx'
import { ListBox } from './list-box.tsx'
import { incidentsQuery } from './queries.ts'

export function IncidentHistoryCard() {
  const [params] = useSearchParams()
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(incidentsQuery('resolved', q))
  const { data: incidents, isError, refetch } = query
  const none = incidents?.length === 0
  const lost = isError && !incidents
  return (
    <>
      {!(none && q === '') && <SearchInput value={q} onChange={setQ} label="Search history" />}
      <ListBox>
        {lost && (
          <Problem title="Could not load the alert history" onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {none && q !== '' && <NothingFound things="incidents" q={q} onClear={() => setQ('')} />}
        {none && q === '' && (
          <EmptyState icon={History} title="No alerts yet">
            Resolved alerts are kept for 90 days.
          </EmptyState>
        )}
        {!none && !lost && (
          <Table
            label="History"
            columns={historyColumns}
            rows={incidents}
            rowKey={({ id }) => id}
            href={({ id }) => `?${withIncident(params, id)}`}
            linkState={dialogOpenedState}
          />
        )}
      </ListBox>
      <LoadMore query={query} />
    </>
  )
}

/** Keeps the search while the dialog is open. */
function withIncident(params: URLSearchParams, id: string): string {
  const after = new URLSearchParams(params)
  after.set('incident', id)
  return after.toString()
}
