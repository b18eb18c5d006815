import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download, ScrollText, SearchX } from 'lucide-react'
import { Address, AddressText } from '../../lib/address.tsx'
import { useParam } from '../../lib/use-param.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Card } from '../../ui/card.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { download } from '../../lib/http/download.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'

const columns: [Column<AuditEntry>, ...Column<AuditEntry>[]] = [
  { head: 'User', cell: ({ actor }) => <bdi className="wrap-anywhere">{actor.name}</bdi> },
  { head: 'Event', cell: (entry) => <What entry={entry} />, phone: 'second' },
  { head: 'IP address', cell: ({ address }) => <Address address={address} />, desk: true },
  { head: 'Time', cell: ({ created_at: at }) => <Time at={at} />, phone: 'first-end' },
]

export function AuditCard() {
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(auditQuery(q))
  const exportFound = useExportAudit(q)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchInput value={q} onChange={setQ} label="Search audit log" />
        <Button pending={exportFound.isPending && 'Exporting…'} onClick={() => exportFound.mutate()}>
          <Download aria-hidden />
          Export CSV
        </Button>
      </div>
      <Card flush>
        <QueryTable
          label="Audit log"
          things="events"
          failed="Could not load audit log"
          query={query}
          empty={
            q === ''
              ? {
                  icon: ScrollText,
                  title: 'No events yet',
                  text: 'Changes in this workspace appear here.',
                }
              : {
                  icon: SearchX,
                  title: `No events match “${q}”`,
                  action: <Button onClick={() => setQ('')}>Clear search</Button>,
                }
          }
          columns={columns}
          rowKey={({ id }) => id}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

function What({ entry }: { entry: AuditEntry }) {
  return (
    <span className="wrap-anywhere">
      {entry.summary}
      {entry.target && (
        <>
          {' '}
          <bdi className="font-medium">
            <AddressText>{entry.target.name}</AddressText>
          </bdi>
        </>
      )}
      {entry.detail && (
        <span className="text-muted">
          <AddressText>{`${isSentence(entry.detail) ? ':' : ''} ${entry.detail}`}</AddressText>
        </span>
      )}
      {entry.actor.via === 'api_token' && <span className="text-muted"> via API token</span>}
    </span>
  )
}

/** Details are either the rest of the sentence, such as “to admin”, or a sentence of their own. */
const isSentence = (detail: string) => /^\p{Lu}.*\.$/su.test(detail)

type AuditEntry = Reply<Api['GET /v1/audit']>['entries'][number]

/** Lists events, newest first. `q` matches users, targets, details and event types. */
const auditQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /v1/audit', { query: { q: q || undefined, cursor: pageParam } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.entries),
  })

export const useExportAudit = (q = '') =>
  useMutation({
    mutationFn: () =>
      download('GET /v1/audit/export', `audit-log-${new Date().toISOString().slice(0, 10)}.csv`, {
        q: q || undefined,
      }),
  })
