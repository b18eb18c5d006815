import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { Address } from '../../lib/address.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type InstanceUser, userActivityQuery } from './queries.ts'

type Event = NonNullable<ReturnType<typeof useActivity>['data']>[number]

const useActivity = (id: string) => useInfiniteQuery(userActivityQuery(id))

const columns: [Column<Event>, ...Column<Event>[]] = [
  {
    head: 'Event',
    cell: ({ summary, detail, count }) => (
      <span className="font-normal wrap-anywhere">
        <span className="font-medium">{summary}</span>
        {detail && <span className="text-muted"> · {detail}</span>}
        {count > 1 && <span className="text-muted"> · {count} times</span>}
      </span>
    ),
  },
  { head: 'Device', cell: ({ device }) => device ?? '–' },
  { head: 'Address', cell: ({ address }) => <Address address={address} /> },
  { head: 'When', cell: ({ last_at: at }) => <Time at={at} /> },
]

export function ActivityDialog({ user, onClose }: { user: InstanceUser; onClose: () => void }) {
  const query = useActivity(user.id)
  const events = query.data
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Security activity of ${user.name}`}
      description={`What happened to the account ${user.email} in the last 180 days.`}
    >
      {query.isError && !events ? (
        <Problem title="The security activity could not be loaded" onRetry={() => void query.refetch()}>
          Check the log of the Slipway process.
        </Problem>
      ) : events?.length === 0 ? (
        <EmptyState icon={ShieldCheck} title="No activity yet">
          Log-ins, password changes, two-factor and API tokens are listed here.
        </EmptyState>
      ) : (
        <Table label="Security activity" columns={columns} rows={events} rowKey={({ id }) => id} />
      )}
      <LoadMore query={query} />
    </Dialog>
  )
}
