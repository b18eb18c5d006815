import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { DeploymentBadge } from './deployment-badge.tsx'
import { deploymentType } from './deployment-words.ts'
import { type Deployment, latestDeploymentsQuery } from './queries.ts'

export function LatestDeployments() {
  const { data: deployments, isError, refetch } = useQuery(latestDeploymentsQuery)
  return (
    <Card title="Latest Deploys" flush>
      {deployments?.length === 0 && <EmptyState title="No recent deploys found." />}
      {deployments?.length !== 0 && !isError && (
        <Table
          label="Latest Deploys"
          columns={columns}
          rows={deployments}
          rowKey={({ id }) => id}
          skeletonRows={3}
        />
      )}
      {isError && !deployments && (
        <Problem title="The latest deploys could not be loaded" onRetry={() => void refetch()}>
          Try again in a moment.
        </Problem>
      )}
    </Card>
  )
}

const columns: [Column<Deployment>, ...Column<Deployment>[]] = [
  { head: 'Application', cell: ({ target }) => <bdi>{target.name}</bdi> },
  { head: 'Type', cell: ({ type }) => deploymentType(type) },
  { head: 'Status', cell: ({ status }) => <DeploymentBadge status={status} /> },
  {
    head: 'Message',
    cell: ({ message }) =>
      message && (
        <span dir="auto" className="line-clamp-1 text-muted sm:text-left">
          {message}
        </span>
      ),
  },
  {
    head: 'By',
    cell: ({ actor }) => (
      <span dir="auto" className="block max-w-40 truncate sm:text-left" title={actor.name}>
        {actor.name}
      </span>
    ),
  },
  { head: 'Started', cell: ({ created_at: at }) => <Time at={at} />, narrow: true },
]
