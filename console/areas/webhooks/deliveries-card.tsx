import { useInfiniteQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { opened } from '../../lib/use-dialog.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { statusLook, whatBecame, whatCame } from './delivery-words.ts'
import { type Delivery, deliveriesQuery } from './queries.ts'

interface DeliveriesCardProps {
  /** Only those about this one; its name is not known yet while it is on its way. */
  application?: { id: string; name: string | undefined } | undefined
  /** Leads to those of all applications. */
  all: ReactNode
}

/** What came in from outside, and what became of it. A row leads to what it carried. */
export function DeliveriesCard({ application, all }: DeliveriesCardProps) {
  const query = useInfiniteQuery(deliveriesQuery(application?.id))
  const of = application && `application_id=${encodeURIComponent(application.id)}&`
  const { data: deliveries, isError, refetch } = query
  return (
    <>
      <Card
        title="Deliveries"
        description={
          application
            ? `What was sent for ${application.name ?? 'this application'} in the last 30 days, and what became of it.`
            : 'What GitHub and your deploy hooks sent in the last 30 days, and what became of it.'
        }
        action={application && all}
        flush
      >
        {deliveries?.length === 0 && (
          <EmptyState icon={Webhook} title="Nothing has come in yet">
            {application
              ? 'Push to its repository, or call its deploy hook.'
              : 'Push to a repository that an application is made from, or call the deploy hook of an application.'}
          </EmptyState>
        )}
        {isError && !deliveries && (
          <Problem title="The deliveries could not be loaded" onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {deliveries?.length !== 0 && !(isError && !deliveries) && (
          <Table
            label="Deliveries"
            columns={columns}
            rows={deliveries}
            rowKey={({ id }) => id}
            href={({ id }) => `?${of ?? ''}dialog=${encodeURIComponent(id)}`}
            linkState={opened}
          />
        )}
      </Card>
      <LoadMore query={query} />
    </>
  )
}

const columns: [Column<Delivery>, ...Column<Delivery>[]] = [
  {
    head: 'What',
    cell: (row) => (
      <span dir="auto" title={whatCame(row)} className="line-clamp-1 break-all sm:text-left">
        {whatCame(row)}
      </span>
    ),
  },
  {
    head: 'Repository',
    cell: ({ repository }) =>
      repository && (
        <bdi title={repository} className="block max-w-56 truncate">
          {repository}
        </bdi>
      ),
    roomy: true,
  },
  {
    head: 'Status',
    cell: ({ status }) => <Badge tone={statusLook(status).tone}>{statusLook(status).word}</Badge>,
  },
  {
    head: 'What became of it',
    cell: (row) => (
      <span
        dir="auto"
        className="line-clamp-2 text-muted sm:line-clamp-1 sm:text-left"
        title={whatBecame(row)}
      >
        {whatBecame(row)}
      </span>
    ),
  },
  {
    head: 'By',
    cell: ({ sender }) => sender && <bdi className="block max-w-40 truncate">{sender}</bdi>,
    roomy: true,
  },
  { head: 'When', cell: ({ received_at: at }) => <Time at={at} />, narrow: true },
]
