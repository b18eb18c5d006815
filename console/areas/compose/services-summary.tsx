import { useQuery } from '@tanstack/react-query'
import { applicationPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { type Service, servicesQuery } from './queries.ts'
import { serviceStateLabel } from './service-labels.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { AddressText } from '../../lib/address.tsx'

export function ServicesSummary({ applicationId }: { applicationId: string }) {
  const query = useQuery(servicesQuery(applicationId))
  if (query.data?.length === 0) return null
  return (
    <Card
      title="Services"
      action={<TextLink to={applicationPath(applicationId, 'services')}>View all</TextLink>}
      flush
    >
      <QueryTable
        label="Services"
        things="services"
        query={query}
        empty={{ title: 'No services' }}
        columns={columns}
        rowKey={({ name }) => name}
        skeletonRows={2}
      />
    </Card>
  )
}

const columns: [Column<Service>, ...Column<Service>[]] = [
  { head: 'Service', cell: ({ name }) => <bdi className="wrap-anywhere">{name}</bdi> },
  {
    head: 'Status',
    cell: ({ state, reason }) => {
      const [tone, word] = serviceStateLabel(state)
      return (
        <span className="flex flex-wrap items-center gap-x-2 py-1 max-sm:justify-end">
          <Badge tone={tone}>{word}</Badge>
          {reason !== null && (
            <span className="text-muted">
              <AddressText>{reason}</AddressText>
            </span>
          )}
        </span>
      )
    },
  },
  {
    head: 'Image',
    cell: ({ image, digest }) => (
      <span dir="ltr" title={digest ?? image} className="line-clamp-1 font-mono text-sm break-all">
        {image}
      </span>
    ),
    roomy: true,
  },
  {
    head: 'Containers',
    // A completed service has no running containers to count.
    cell: ({ state, running, wanted }) => state !== 'completed' && `${running}/${wanted}`,
    align: 'right',
    narrow: true,
  },
]
