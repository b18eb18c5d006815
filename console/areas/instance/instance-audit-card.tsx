import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { Address, AddressText } from '../../lib/address.tsx'
import { useParam } from '../../lib/use-param.ts'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { instanceAuditQuery } from './queries.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { Card } from '../../ui/card.tsx'

type Entry = NonNullable<ReturnType<typeof useEntries>['data']>[number]

const useEntries = (q: string) => useInfiniteQuery(instanceAuditQuery(q))

const columns: [Column<Entry>, ...Column<Entry>[]] = [
  { head: 'User', cell: ({ actor }) => <bdi className="wrap-anywhere">{actor.name}</bdi> },
  { head: 'Event', cell: (entry) => <What entry={entry} />, phone: 'second' },
  { head: 'IP address', cell: ({ address }) => <Address address={address} />, desk: true },
  { head: 'Time', cell: ({ created_at: at }) => <Time at={at} />, phone: 'first-end' },
]

export function InstanceAuditCard() {
  const [q, setQ] = useParam('q')
  const query = useEntries(q)
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search audit log" />
      <Card flush>
        <QueryTable
          label="Audit log of the instance"
          things="entries"
          query={query}
          search={{ q, setQ }}
          empty={{
            icon: ScrollText,
            title: 'No events yet',
            text: 'Changes to users, workspaces and instance settings appear here.',
          }}
          columns={columns}
          rowKey={({ id }) => id}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

const What = ({ entry: { summary, target, detail } }: { entry: Entry }) => (
  <span className="wrap-anywhere">
    {summary}
    {target && (
      <>
        {' '}
        <bdi className="font-medium">
          <AddressText>{target.name}</AddressText>
        </bdi>
      </>
    )}
    {detail && <AddressText>{` ${detail}`}</AddressText>}
  </span>
)
