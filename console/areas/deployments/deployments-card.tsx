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
  /** Only so many of the newest, under a title with a way to the others. */
  latest?: { most: number; all: ReactNode }
  /** What helps where there is none. */
  empty?: ReactNode
}

/** The deployments of an application. */
export function DeploymentsCard({ applicationId, latest, empty }: DeploymentsCardProps) {
  const query = useInfiniteQuery(deploymentsQuery(applicationId))
  const { data: deployments, isError, refetch } = query
  return (
    <>
      <Card title={latest ? 'Latest deployments' : 'Deployments'} action={latest?.all} flush>
        {deployments?.length === 0 && (
          <EmptyState icon={Rocket} title="No deployments yet" action={empty}>
            A deployment brings what is configured onto the server, and puts it in the place of what ran.
          </EmptyState>
        )}
        {isError && !deployments && (
          <Problem title="The deployments could not be loaded" onRetry={() => void refetch()}>
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
