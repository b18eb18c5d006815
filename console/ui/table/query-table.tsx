import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState, NothingFound } from '../empty-state.tsx'
import { Problem } from '../problem.tsx'
import { Table, type TableProps } from './table.tsx'

interface QueryTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  query: { data: readonly Row[] | undefined; error: Error | null; refetch: () => unknown }
  things: string
  failed?: string
  rows?: readonly Row[] | undefined
  empty: { icon?: LucideIcon; title: string; text?: ReactNode; action?: ReactNode; compact?: boolean }
  search?: { q: string; setQ: (q: string) => void }
}

/** Table of a query, with states for no data, a failed request and a search without results. */
export function QueryTable<Row>(props: QueryTableProps<Row>) {
  const { query, things, failed, rows = query.data, empty, search, ...table } = props
  if (query.error && !query.data)
    return (
      <Problem title={failed ?? `Could not load ${things}`} error={query.error} onRetry={query.refetch} />
    )
  if (rows?.length === 0 && search && search.q !== '')
    return <NothingFound things={things} q={search.q} onClear={() => search.setQ('')} />
  if (rows?.length === 0)
    return (
      <EmptyState
        title={empty.title}
        action={empty.action}
        compact={empty.compact === true}
        {...(empty.icon && { icon: empty.icon })}
      >
        {empty.text}
      </EmptyState>
    )
  return <Table {...table} rows={rows} />
}
