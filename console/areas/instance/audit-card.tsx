import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { Address } from '../../lib/address.tsx'
import { useParam } from '../../lib/use-param.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { instanceAuditQuery } from './queries.ts'

type Entry = NonNullable<ReturnType<typeof useEntries>['data']>[number]

const useEntries = (q: string) => useInfiniteQuery(instanceAuditQuery(q))

const columns: [Column<Entry>, ...Column<Entry>[]] = [
  { head: 'User', cell: ({ actor }) => <bdi className="wrap-anywhere">{actor.name}</bdi> },
  { head: 'What', cell: (entry) => <What entry={entry} /> },
  { head: 'From', cell: ({ address }) => <Address address={address} /> },
  { head: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
]

export function InstanceAuditCard() {
  const [q, setQ] = useParam('q')
  const query = useEntries(q)
  const entries = query.data
  const failed = query.isError && !entries
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search audit log" />
      <div className="overflow-hidden rounded-lg border border-line bg-raised">
        {failed && (
          <Problem title="Could not load the audit log" onRetry={() => void query.refetch()}>
            Check the log of the Slipway process.
          </Problem>
        )}
        {entries?.length === 0 && q === '' && (
          <EmptyState icon={ScrollText} title="No entries yet">
            Changes to people, workspaces and settings of this instance are recorded here.
          </EmptyState>
        )}
        {entries?.length === 0 && q !== '' && (
          <NothingFound things="entries" q={q} onClear={() => setQ('')} />
        )}
        {entries?.length !== 0 && !failed && (
          <Table label="Audit log of the instance" columns={columns} rows={entries} rowKey={({ id }) => id} />
        )}
      </div>
      <LoadMore query={query} />
    </>
  )
}

function What({ entry: { summary, target, detail } }: { entry: Entry }) {
  return (
    <span className="wrap-anywhere max-sm:text-right">
      {summary}
      {target && (
        <>
          {' '}
          <bdi className="font-medium">{target.name}</bdi>
        </>
      )}
      {detail && ` ${detail}`}
    </span>
  )
}
