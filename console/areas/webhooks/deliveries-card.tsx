import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX, Webhook } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { opened } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { deliveryLook, whatBecame, whatCame } from './delivery-words.ts'
import { type Delivery, deliveriesQuery } from './queries.ts'

interface DeliveriesCardProps {
  /** Only those about this one; its name is not known yet while it is on its way. */
  application?: { id: string; name: string | undefined } | undefined
  /** Leads to those of all applications. */
  all: ReactNode
}

const filters: { value: Delivery['status'] | ''; label: string }[] = [
  { value: '', label: 'All deliveries' },
  { value: 'deployed', label: 'That asked for a deployment' },
  { value: 'failed', label: 'That failed' },
  { value: 'ignored', label: 'That deploy nothing' },
  { value: 'waiting', label: 'That wait' },
]

/** What came in from outside, and what became of it. A row leads to what it carried. */
export function DeliveriesCard({ application, all }: DeliveriesCardProps) {
  const [params] = useSearchParams()
  const [asked, setStatus] = useParam('status')
  const status = filters.find(({ value }) => value === asked)?.value ?? ''
  const query = useInfiniteQuery(deliveriesQuery(application?.id, status))
  const { data: deliveries, isError, refetch } = query
  const none = deliveries?.length === 0
  return (
    <>
      <Card
        title="Deliveries"
        description={
          application
            ? `What was sent for ${application.name ?? 'this application'} in the last 30 days, and what became of it.`
            : 'What GitHub and your deploy hooks sent in the last 30 days, and what became of it.'
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
        {none && status === '' && (
          <EmptyState icon={Webhook} title="Nothing has come in yet">
            {application
              ? 'Push to its repository, or call its deploy hook.'
              : 'Push to a repository that an application is made from, or call the deploy hook of an application.'}
          </EmptyState>
        )}
        {none && status !== '' && (
          <EmptyState
            icon={SearchX}
            title="There is no such delivery"
            action={<Button onClick={() => setStatus('')}>Show all deliveries</Button>}
          />
        )}
        {isError && !deliveries && (
          <Problem title="The deliveries could not be loaded" onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {!none && !(isError && !deliveries) && (
          <Table
            label="Deliveries"
            columns={columns}
            rows={deliveries}
            rowKey={({ id }) => id}
            href={({ id }) => `?${withDialog(params, id)}`}
            linkState={opened}
          />
        )}
      </Card>
      <LoadMore query={query} />
    </>
  )
}

/** What is filtered stays so below the dialog. */
function withDialog(params: URLSearchParams, id: string): string {
  const after = new URLSearchParams(params)
  after.set('dialog', id)
  return after.toString()
}

const columns: [Column<Delivery>, ...Column<Delivery>[]] = [
  {
    head: 'What',
    cell: (row) => (
      <span className="flex min-w-0 flex-col sm:min-w-40 sm:py-1">
        <span dir="auto" title={whatCame(row)} className="line-clamp-1 break-all sm:text-left">
          {whatCame(row)}
        </span>
        {row.message !== null && (
          <span
            dir="auto"
            title={row.message}
            className="line-clamp-1 font-normal break-all text-muted sm:text-left"
          >
            {row.message}
          </span>
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
  },
  {
    head: 'Status',
    cell: (row) => <Badge tone={deliveryLook(row).tone}>{deliveryLook(row).word}</Badge>,
  },
  {
    head: 'What became of it',
    cell: (row) => (
      <span className="block sm:py-1">
        <span dir="auto" className="line-clamp-2 text-muted sm:text-left" title={whatBecame(row)}>
          {whatBecame(row)}
        </span>
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
