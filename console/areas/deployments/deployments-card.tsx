import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Rocket } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Deployment, deploymentsQuery, latestDeploymentsQuery } from './queries.ts'
import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { DeploymentBadge, DeploymentDuration } from './deployment-badge.tsx'
import { deploymentType } from './deployment-labels.ts'

interface DeploymentsCardProps {
  applicationId: string
  /** Shows only the newest ones, with a link to the full list. */
  latest?: { most: number; all: ReactNode }
  /** Action of the empty state. */
  empty?: ReactNode
}

export function DeploymentsCard({ applicationId, latest, empty }: DeploymentsCardProps) {
  const query = useInfiniteQuery(deploymentsQuery(applicationId))
  const { data: deployments, isError, refetch } = query
  return (
    <>
      <Card title={latest ? 'Latest deployments' : 'Deployments'} action={latest?.all} flush>
        {deployments?.length === 0 && (
          <EmptyState icon={Rocket} title="No deployments yet" action={empty}>
            Deploy to run your current configuration on the server.
          </EmptyState>
        )}
        {isError && !deployments && (
          <Problem title="Could not load deployments" onRetry={() => void refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {deployments?.length !== 0 && !(isError && !deployments) && (
          <DeploymentsTable label="Deployments" deployments={deployments?.slice(0, latest?.most)} />
        )}
      </Card>
      {!latest && <LoadMore query={query} />}
    </>
  )
}

interface DeploymentsTableProps {
  label: string
  /** Undefined while loading. */
  deployments: readonly Deployment[] | undefined
  /** Adds a column for the application. */
  everywhere?: boolean
}

/** Each row opens the deployment in a dialog. */
export function DeploymentsTable({ label, deployments, everywhere = false }: DeploymentsTableProps) {
  return (
    <Table
      label={label}
      columns={everywhere ? [application, type, status, message, actor, when] : applicationColumns}
      rows={deployments}
      rowKey={({ id }) => id}
      href={({ id }) => `?deploymentId=${encodeURIComponent(id)}`}
      linkState={dialogOpenedState}
      skeletonRows={3}
    />
  )
}

const application: Column<Deployment> = {
  head: 'Application',
  cell: ({ target }) => <bdi>{target.name}</bdi>,
}
const type: Column<Deployment> = { head: 'Type', cell: (row) => deploymentType(row.type), desk: true }
const status: Column<Deployment> = {
  head: 'Status',
  cell: (row) => (
    <span className="inline-flex items-center gap-2">
      <DeploymentBadge deployment={row} />
      <span className="text-muted sm:hidden">
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
  cell: (row) =>
    row.message && (
      <span dir="auto" className="line-clamp-1 text-muted sm:text-left" title={row.message}>
        {row.message}
      </span>
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
      <span dir="auto" className="line-clamp-1 break-all sm:text-left" title={row.message ?? undefined}>
        {row.message ?? deploymentType(row.type)}
      </span>
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

export function LatestDeployments() {
  const { data: deployments, isError, refetch } = useQuery(latestDeploymentsQuery)
  return (
    <Card title="Latest Deploys" flush>
      {deployments?.length === 0 && <EmptyState title="No recent deploys found." />}
      {deployments?.length !== 0 && !isError && (
        <DeploymentsTable label="Latest Deploys" deployments={deployments} everywhere />
      )}
      {isError && !deployments && (
        <Problem title="Could not load the latest deploys" onRetry={() => void refetch()}>
          Try again in a moment.
        </Problem>
      )}
    </Card>
  )
}
