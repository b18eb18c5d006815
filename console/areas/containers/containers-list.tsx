import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useAllPages } from '../../lib/http/paging.ts'
import { useParam } from '../../lib/use-param.ts'
import { containerPath } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/card.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { containerColumns } from './container-columns.tsx'
import { ContainerDialogs } from './container-dialogs.tsx'
import { ContainerMenu, useContainerActions } from './container-menu.tsx'
import { matchesSearch, matchesStateFilter, stateFilters } from './container-filter.ts'
import { type ListedContainer, containersQuery } from './queries.ts'
import { Box } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'

interface ContainersListProps {
  serverId: string
  operates: boolean
  away?: string | undefined
}

export function ContainersList({ serverId, operates, away }: ContainersListProps) {
  const query = useInfiniteQuery(containersQuery(serverId))
  useAllPages(query, true)
  const error = away === undefined ? query.error : { message: away }
  if (error && !query.data)
    return (
      <Card flush>
        <Problem title="Could not load containers" error={error} onRetry={query.refetch} />
      </Card>
    )
  if (query.data?.length === 0)
    return (
      <Card flush>
        <NoContainers />
        <ContainerDialogs serverId={serverId} containers={[]} complete />
      </Card>
    )
  return <ContainersTable serverId={serverId} operates={operates} query={query} />
}

interface ContainersTableProps extends Omit<ContainersListProps, 'away'> {
  query: UseInfiniteQueryResult<ListedContainer[]>
}

function ContainersTable({ serverId, operates, query }: ContainersTableProps) {
  const [q, setQ] = useParam('q')
  const [show, setShow] = useParam('show')
  const [sort, setSort] = useParam('sort')
  const { acting, act } = useContainerActions(serverId)
  const rows = query.data?.filter(
    (container) => matchesStateFilter(container, show) && matchesSearch(container, q),
  )
  const menu = (container: ListedContainer) =>
    container.controllable && (
      <ContainerMenu
        container={container}
        busy={acting.has(container.id)}
        onAct={(verb) => act(container, verb)}
      />
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput value={q} onChange={setQ} label="Search containers" />
        <div className="w-36 max-sm:w-full">
          <Select aria-label="Show" value={show} onValueChange={setShow} options={stateFilters} />
        </div>
      </div>
      <Card flush>
        <QueryTable
          label="Containers"
          things="containers"
          query={query}
          rows={rows}
          search={{ q, setQ }}
          empty={{
            icon: Box,
            title: 'No matching containers',
            action: <Button onClick={() => setShow('')}>Show all</Button>,
          }}
          columns={containerColumns(acting)}
          rowKey={({ id }) => id}
          href={({ id }) => containerPath(serverId, id)}
          sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
          {...(operates && { actions: menu })}
        />
      </Card>
      {operates && (
        <ContainerDialogs
          serverId={serverId}
          containers={query.data ?? []}
          complete={query.data !== undefined && !query.hasNextPage}
        />
      )}
    </>
  )
}

const NoContainers = () => (
  <EmptyState
    icon={Box}
    title="No containers yet"
    action={<CodeBlock label="Copy command">docker run -d --name web -p 8080:80 nginx</CodeBlock>}
  >
    Containers on this server appear here. To start one, run this command in the Commands tab:
  </EmptyState>
)
