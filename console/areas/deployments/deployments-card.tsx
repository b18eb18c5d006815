import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Rocket } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { type Deployment, deploymentsQuery, latestDeploymentsQuery } from './queries.ts'
import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { DeploymentBadge, DeploymentDuration } from './deployment-badge.tsx'
import { deploymentType } from './deployment-labels.ts'
import { AddressSpan } from '../../lib/address.tsx'

interface DeploymentsCardProps {
  applicationId: string
  /** `latest` limits the list to the newest deployments and adds a link to all of them. */
  latest?: { most: number; all: ReactNode }
  empty?: ReactNode
}

export function DeploymentsCard({ applicationId, latest, empty }: DeploymentsCardProps) {
  const query = useInfiniteQuery(deploymentsQuery(applicationId))
  return (
    <>
      <Card title={latest ? 'Latest deployments' : 'Deployments'} action={latest?.all} flush>
        <QueryTable
          {...tableProps}
          label="Deployments"
          things="deployments"
          query={query}
          empty={{
            icon: Rocket,
            title: 'No deployments yet',
            text: 'Deploy to run the current configuration on the server.',
            action: empty,
          }}
          columns={applicationColumns}
          {...(latest && { most: latest.most })}
        />
      </Card>
      {!latest && <LoadMore query={query} />}
    </>
  )
}

const tableProps = {
  rowKey: ({ id }: Deployment) => id,
  href: ({ id }: Deployment) => `?deploymentId=${encodeURIComponent(id)}`,
  linkState: dialogOpenedState,
  skeletonRows: 3,
}

const application: Column<Deployment> = {
  head: 'Application',
  cell: ({ target }) => <bdi className="sm:inline-block sm:min-w-24">{target.name}</bdi>,
}
const type: Column<Deployment> = { head: 'Type', cell: (row) => deploymentType(row.type), desk: true }
const status: Column<Deployment> = {
  head: 'Status',
  bare: true,
  cell: (row) => (
    <span className="inline-flex items-center gap-2 max-sm:w-full max-sm:justify-between">
      <DeploymentBadge deployment={row} />
      <span className="shrink-0 text-muted sm:hidden">
        <Time at={row.created_at} />
        {row.started_at !== null && (
          <>
            {' · '}
            <DeploymentDuration from={row.started_at} to={row.finished_at} />
          </>
        )}
      </span>
    </span>
  ),
}
const message: Column<Deployment> = {
  head: 'Message',
  bare: true,
  cell: (row) =>
    row.message && (
      <AddressSpan className="line-clamp-1 text-muted max-sm:break-all sm:text-left">
        {row.message}
      </AddressSpan>
    ),
}
const actor: Column<Deployment> = {
  head: 'By',
  cell: (row) => (
    <span dir="auto" className="block max-w-40 truncate sm:text-left" title={row.actor.name}>
      {row.actor.name}
    </span>
  ),
  desk: true,
}
const when: Column<Deployment> = {
  head: 'When',
  cell: ({ created_at: at }) => <Time at={at} />,
  narrow: true,
  desk: true,
}

const applicationColumns: [Column<Deployment>, ...Column<Deployment>[]] = [
  {
    head: 'Deployment',
    cell: (row) => (
      <AddressSpan className="line-clamp-1 break-all sm:text-left">
        {row.message ?? deploymentType(row.type)}
      </AddressSpan>
    ),
  },
  type,
  status,
  {
    head: 'Release',
    cell: ({ release }) => release && <span className="tabular-nums">{release.number}</span>,
    narrow: true,
    desk: true,
  },
  { ...actor, roomy: true },
  when,
  {
    head: 'Duration',
    cell: ({ started_at: from, finished_at: to }) => <DeploymentDuration from={from} to={to} />,
    narrow: true,
    desk: true,
  },
]

export const LatestDeployments = () => (
  <Card title="Latest Deploys" flush>
    <QueryTable
      {...tableProps}
      label="Latest Deploys"
      things="deployments"
      failed="Could not load latest deploys"
      query={useQuery(latestDeploymentsQuery)}
      empty={{ title: 'No recent deploys found.' }}
      columns={[application, type, status, message, actor, when]}
    />
  </Card>
)
