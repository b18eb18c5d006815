import { useInfiniteQuery, infiniteQueryOptions } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { Address, AddressText } from '../../lib/address.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'

const columns: [Column<AccountEvent>, ...Column<AccountEvent>[]] = [
  { head: 'Event', cell: (event) => <What event={event} /> },
  { head: 'Device', cell: ({ device, via }) => device ?? <By via={via} />, phone: 'second' },
  { head: 'IP address', cell: ({ address }) => <Address address={address} />, desk: true },
  { head: 'Time', cell: ({ last_at: at }) => <Time at={at} />, phone: 'second-end' },
]

export function ActivityCard() {
  const query = useInfiniteQuery(activityQuery)
  return (
    <>
      <Card
        title="Security activity"
        description="Account events from the last 180 days. If you do not recognize an event, change your password."
        flush
      >
        <QueryTable
          label="Security activity"
          things="events"
          failed="Could not load security activity"
          query={query}
          empty={{
            icon: ShieldCheck,
            title: 'No activity yet',
            text: 'Logins, password changes, two-factor and API token events appear here.',
          }}
          columns={columns}
          rowKey={({ id }) => id}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

function What({ event: { summary, detail, count, via } }: { event: AccountEvent }) {
  return (
    <span className="font-normal wrap-anywhere">
      <span className="font-medium">{summary}</span>
      {detail && (
        <span className="text-muted">
          {' · '}
          <AddressText>{detail}</AddressText>
        </span>
      )}
      {via === 'api_token' && <span className="text-muted"> · with an API token</span>}
      {count > 1 && <span className="text-muted"> · {count} times</span>}
    </span>
  )
}

const others: Partial<Record<AccountEvent['via'], string>> = {
  member: 'Another member',
  operator: 'Operator',
}

const By = ({ via }: Pick<AccountEvent, 'via'>) => <span className="text-muted">{others[via] ?? '–'}</span>

type AccountEvent = Reply<Api['GET /v1/user/activity']>['events'][number]

const activityQuery = infiniteQueryOptions({
  queryKey: ['user', 'activity'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /v1/user/activity', { query: { cursor: pageParam } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.events),
  // Logins on other devices send no event to this page, so poll.
  staleTime: 0,
  refetchInterval: 15_000,
})
