import { type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEveryPage } from '../lib/use-every-page.ts'
import { useParam } from '../lib/use-param.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { NothingFound } from '../ui/nothing-found.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Problem } from '../ui/problem.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { type Column, Table } from '../ui/table.tsx'

interface ListPageProps<Row, Page, Key extends QueryKey> {
  title: string
  /** What is listed, in lower case: "servers". */
  things: string
  icon: LucideIcon
  /** What this is for and what to do next, shown while there is nothing. */
  empty: { title: string; text: string; action?: ReactNode }
  /** The one primary action, once there is something. */
  action?: ReactNode
  /** Where a row leads. */
  href?: (row: Row) => string
  columns: readonly [Column<Row>, ...Column<Row>[]]
  query: (q: string) => UseInfiniteQueryOptions<Page, Error, Row[], Key, string | undefined>
}

/** A list of things with a name: searched by it, sorted by its columns, loaded page by page. */
export function ListPage<Row extends { id: string }, Page, Key extends QueryKey>(
  props: ListPageProps<Row, Page, Key>,
) {
  const { title, things, icon, empty, action, href, columns, query } = props
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const pages = useInfiniteQuery(query(q))
  const { data: rows, isError, refetch } = pages
  useEveryPage(pages, sort !== '')
  const nothing = rows?.length === 0
  return (
    <>
      <PageHeader title={title} action={action} />
      {!(nothing && q === '') && <SearchInput value={q} onChange={setQ} label={`Search ${things}`} />}
      <div className="overflow-hidden rounded-lg border border-line bg-raised">
        {isError && !rows && (
          <Problem title={`The ${things} could not be loaded`} onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {nothing && q === '' && (
          <EmptyState icon={icon} title={empty.title} action={empty.action}>
            {empty.text}
          </EmptyState>
        )}
        {nothing && q !== '' && <NothingFound things={things} q={q} onClear={() => setQ('')} />}
        {!nothing && !(isError && !rows) && (
          <Table
            label={title}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            {...(href ? { href } : {})}
            sort={{ value: sort, onChange: setSort, partial: pages.hasNextPage }}
          />
        )}
      </div>
      <LoadMore query={pages} />
    </>
  )
}
