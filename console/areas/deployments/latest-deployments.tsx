import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { DeploymentsTable } from './deployments-table.tsx'
import { latestDeploymentsQuery } from './queries.ts'

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
