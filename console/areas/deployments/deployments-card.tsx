import { useInfiniteQuery } from '@tanstack/react-query'
import { Rocket } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { DeploymentsTable } from './deployments-table.tsx'
import { deploymentsQuery } from './queries.ts'

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
