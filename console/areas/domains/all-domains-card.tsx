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
import { certificateBadge } from './certificate-badge.ts'
import { allDomainsQuery, type ListedDomain } from './queries.ts'

/** Domains of all applications; the certificate that expires next is at the top. */
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
            text: 'Domains of all applications appear here. Add one under Networking of an application.',
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
    cell: ({ host, path }) => (
      <span className="wrap-anywhere">
        <AddressText>{path === '/' ? host : `${host}${path}`}</AddressText>
      </span>
    ),
  },
  {
    head: 'Application',
    cell: ({ application, service }) => (
      <bdi className="wrap-anywhere">{[application.name, service].filter(Boolean).join(' · ')}</bdi>
    ),
  },
  { head: 'Status', cell: (domain) => <Status domain={domain} />, narrow: true },
  {
    head: 'Certificate expires',
    cell: ({ certificate }) => certificate?.expires_at && <Day at={certificate.expires_at} />,
    narrow: true,
  },
]

function Status({ domain }: { domain: ListedDomain }) {
  const waits = !domain.verified && domain.certificate?.status !== 'issued'
  const { tone, label } = waits
    ? ({ tone: 'yellow', label: 'Not verified' } as const)
    : certificateBadge(domain)
  return <Badge tone={tone}>{label}</Badge>
}
