import { useInfiniteQuery } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { AddressText } from '../../lib/address.tsx'
import { useParam } from '../../lib/use-param.ts'
import { applicationPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Day } from '../../ui/time.tsx'
import { certificateBadge } from './domain-badges.ts'
import { allDomainsQuery, type ListedDomain } from './queries.ts'

/** Lists the domains of all applications. The server sorts them by the expiry of their certificates, soonest first. */
export function AllDomainsCard() {
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(allDomainsQuery(q))
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search domains" />
      <Card flush>
        <QueryTable
          label="Domains"
          things="domains"
          query={query}
          search={{ q, setQ }}
          empty={{
            icon: Globe,
            title: 'No domains yet',
            text: 'Domains of all applications appear here. Add one in the Networking tab of an application.',
          }}
          columns={columns}
          rowKey={({ id }) => id}
          href={({ application }) => applicationPath(application.id, 'networking')}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

const columns: [Column<ListedDomain>, ...Column<ListedDomain>[]] = [
  {
    head: 'Domain',
    cell: (domain) => <Name domain={domain} />,
  },
  {
    head: 'Application',
    desk: true,
    cell: ({ application, service }) => <bdi className="wrap-anywhere">{placeOf(application, service)}</bdi>,
  },
  { head: 'Status', desk: true, cell: (domain) => <Status domain={domain} />, narrow: true },
  {
    head: 'Certificate expires',
    desk: true,
    cell: ({ certificate }) => certificate?.expires_at && <Day at={certificate.expires_at} />,
    narrow: true,
  },
]

const placeOf = ({ name }: ListedDomain['application'], service: string | null) =>
  [name, service].filter(Boolean).join(' · ')

/** Phones have no columns, so two lines show the whole row. */
const Name = ({ domain }: { domain: ListedDomain }) => (
  <span className="flex min-w-0 flex-col gap-0.5">
    <span className="flex items-center justify-between gap-2">
      <span className="wrap-anywhere">
        <AddressText>{domain.path === '/' ? domain.host : `${domain.host}${domain.path}`}</AddressText>
      </span>
      <span className="sm:hidden">
        <Status domain={domain} />
      </span>
    </span>
    <span className="flex justify-between gap-2 text-sm font-normal text-muted sm:hidden">
      <bdi className="truncate">{placeOf(domain.application, domain.service)}</bdi>
      {domain.certificate?.expires_at && (
        <span className="shrink-0">
          expires <Day at={domain.certificate.expires_at} />
        </span>
      )}
    </span>
  </span>
)

function Status({ domain }: { domain: ListedDomain }) {
  const waits = !domain.verified && domain.certificate?.status !== 'issued'
  const { tone, label } = waits
    ? ({ tone: 'yellow', label: 'Not verified' } as const)
    : certificateBadge(domain)
  return <Badge tone={tone}>{label}</Badge>
}
