import { useQuery } from '@tanstack/react-query'
import { applicationPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { type Service, servicesQuery } from './queries.ts'
import { serviceStateLabel } from './service-labels.ts'

export function ServicesSummary({ applicationId }: { applicationId: string }) {
  const { data: services, error, refetch } = useQuery(servicesQuery(applicationId))
  if (services?.length === 0) return null
  return (
    <Card
      title="Services"
      action={<TextLink to={applicationPath(applicationId, 'services')}>View all</TextLink>}
      flush
    >
      {!services && error ? (
        <Problem title="Couldn't load the services" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
        </Problem>
      ) : (
        <Table
          label="Services"
          columns={columns}
          rows={services}
          rowKey={({ name }) => name}
          skeletonRows={2}
        />
      )}
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
          {reason !== null && <span className="text-muted">{reason}</span>}
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
