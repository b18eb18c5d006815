import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { dialogOpenedState, dialogLink } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { deliveryBadge, describeOutcome, describeEvent } from './delivery-labels.ts'
import { type Delivery, deliveriesQuery } from './queries.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { AddressSpan, AddressText } from '../../lib/address.tsx'

interface DeliveriesCardProps {
  /** Limits the list to one application. The name is undefined while it loads. */
  application?: { id: string; name: string | undefined } | undefined
  all: ReactNode
}

const filters: { value: Delivery['status'] | ''; label: string }[] = [
  { value: '', label: 'All deliveries' },
  { value: 'deployed', label: 'Deployed' },
  { value: 'failed', label: 'Failed' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'waiting', label: 'Waiting' },
]

export function DeliveriesCard({ application, all }: DeliveriesCardProps) {
  const [params] = useSearchParams()
  const [statusParam, setStatus] = useParam('status')
  const status = filters.find(({ value }) => value === statusParam)?.value ?? ''
  const query = useInfiniteQuery(deliveriesQuery(application?.id, status))
  return (
    <>
      <Card
        title="Deliveries"
        description={
          application
            ? `GitHub webhooks and deploy hook calls for ${application.name ?? 'this application'} in the last 30 days.`
            : 'GitHub webhooks and deploy hook calls received in the last 30 days.'
        }
        action={
          <div className="flex flex-wrap items-center gap-3">
            {application && all}
            <div className="w-60">
              <Select aria-label="Show" options={filters} value={status} onValueChange={setStatus} />
            </div>
          </div>
        }
        flush
      >
        <QueryTable
          label="Deliveries"
          things="deliveries"
          query={query}
          empty={
            status === ''
              ? {
                  icon: Webhook,
                  title: 'No deliveries yet',
                  text: application
                    ? 'Push to the repository or call the deploy hook.'
                    : 'Push to a connected repository or call an application’s deploy hook.',
                }
              : {
                  icon: SearchX,
                  title: 'No matching deliveries',
                  action: <Button onClick={() => setStatus('')}>Show all deliveries</Button>,
                }
          }
          columns={columns}
          rowKey={({ id }) => id}
          href={({ id }) => dialogLink(params, id)}
          linkState={dialogOpenedState}
        />
      </Card>
      <LoadMore query={query} />
    </>
  )
}

const columns: [Column<Delivery>, ...Column<Delivery>[]] = [
  {
    head: 'Event',
    cell: (row) => (
      <span className="flex min-w-0 flex-col sm:min-w-40 sm:py-1">
        <span dir="auto" title={describeEvent(row)} className="line-clamp-1 break-all sm:text-left">
          {describeEvent(row)}
        </span>
        {row.message !== null && (
          <AddressSpan className="line-clamp-1 font-normal break-all text-muted max-sm:hidden sm:text-left">
            {row.message}
          </AddressSpan>
        )}
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
    desk: true,
  },
  {
    head: 'Status',
    phone: 'first-end',
    cell: (row) => <Badge tone={deliveryBadge(row).tone}>{deliveryBadge(row).word}</Badge>,
  },
  {
    head: 'Result',
    phone: 'second',
    cell: (row) => (
      <span className="block sm:py-1">
        <AddressSpan className="line-clamp-1 text-muted sm:line-clamp-2 sm:text-left">
          {describeOutcome(row)}
        </AddressSpan>
      </span>
    ),
  },
  {
    head: 'By',
    desk: true,
    cell: ({ sender }) =>
      sender && (
        <bdi className="block max-w-40 truncate">
          {/* A deploy hook knows only the IP address of its caller. */}
          <AddressText>{sender}</AddressText>
        </bdi>
      ),
    roomy: true,
  },
  { head: 'Received', cell: ({ received_at: at }) => <Time at={at} />, narrow: true, phone: 'second-end' },
]
