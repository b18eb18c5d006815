import { type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAllPages } from '../lib/http/paging.ts'
import { useParam } from '../lib/use-param.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, NothingFound } from '../ui/empty-state.tsx'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Problem } from '../ui/problem.tsx'
import { SearchInput } from '../ui/form/search-input.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Column, Table } from '../ui/table/table.tsx'

interface ListPageProps<Row, Page, Key extends QueryKey> {
  title: string
  things: string
  icon: LucideIcon
  empty: { title: string; text: string; action?: ReactNode }
  action?: ReactNode
  /** Additional filter. `where` describes it, such as “in this project”. */
  filter?: { value: string; control: ReactNode; where: string; clear: () => void }
  layout: Rows<Row> | Cards<Row>
  query: (q: string) => UseInfiniteQueryOptions<Page, Error, Row[], Key, string | undefined>
}

interface Rows<Row> {
  columns: readonly [Column<Row>, ...Column<Row>[]]
  href?: (row: Row) => string
}

interface Cards<Row> {
  card: (row: Row) => ReactNode
}

export function ListPage<Row extends { id: string }, Page, Key extends QueryKey>(
  props: ListPageProps<Row, Page, Key>,
) {
  const { title, things, icon, empty, action, filter, layout, query } = props
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const pages = useInfiniteQuery(query(q))
  const { data: rows, error, refetch } = pages
  useAllPages(pages, sort !== '')
  const nothing = rows?.length === 0
  const narrowed = filter !== undefined && filter.value !== ''
  const lost = rows ? null : error
  return (
    <>
      <PageHeader title={title} action={action} />
      {!(nothing && q === '' && !narrowed) && (
        <div className="flex items-center gap-3 sm:flex-wrap">
          <SearchInput value={q} onChange={setQ} label={`Search ${things}`} />
          {filter?.control}
        </div>
      )}
      {(nothing || lost !== null) && (
        <div className={boxClasses}>
          {lost && <Problem title={`Could not load ${things}`} error={lost} onRetry={refetch} />}
          {nothing && q !== '' && <NothingFound things={things} q={q} onClear={() => setQ('')} />}
          {nothing && q === '' && narrowed && (
            <EmptyState
              icon={icon}
              title={`No ${things} ${filter.where}`}
              action={<Button onClick={filter.clear}>Show all {things}</Button>}
            />
          )}
          {nothing && q === '' && !narrowed && (
            <EmptyState icon={icon} title={empty.title} action={empty.action}>
              {empty.text}
            </EmptyState>
          )}
        </div>
      )}
      {!nothing && !lost && 'card' in layout && <CardGrid label={title} rows={rows} card={layout.card} />}
      {!nothing && !lost && 'columns' in layout && (
        <div className={boxClasses}>
          <Table
            label={title}
            rows={rows}
            rowKey={({ id }) => id}
            {...layout}
            sort={{ value: sort, onChange: setSort, partial: pages.hasNextPage }}
          />
        </div>
      )}
      <LoadMore query={pages} />
    </>
  )
}

const boxClasses = 'overflow-hidden rounded-lg border border-line bg-raised'

interface CardGridProps<Row> extends Cards<Row> {
  label: string
  rows: readonly Row[] | undefined
}

const CardGrid = <Row,>({ label, rows, card }: CardGridProps<Row>) => (
  <ul aria-label={label} aria-busy={!rows} className="grid gap-4 sm:grid-cols-2 min-[1280px]:grid-cols-3">
    {rows?.map(card) ??
      Array.from({ length: 6 }, (_, index) => (
        <li key={index}>
          <Skeleton sized className="h-30 w-full rounded-lg!" />
        </li>
      ))}
  </ul>
)
