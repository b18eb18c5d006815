import { useQuery } from '@tanstack/react-query'
import { Card } from '../../ui/card.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ComposeForm } from './compose-form.tsx'
import { composeQuery } from './compose-queries.ts'

interface ComposeCardProps {
  application: { id: string; source: { type: string } }
  /** Variables as text, for interpolation; undefined while loading. */
  env: string | undefined
}

export function ComposeCard({ application, env }: ComposeCardProps) {
  const { data, isError, refetch } = useQuery(composeQuery(application.id))
  if (data && env !== undefined) return <ComposeForm application={application} saved={data} env={env} />
  return (
    <Card title="Compose file">
      {isError && !data ? (
        <Problem title="Couldn't load the compose file" onRetry={() => void refetch()}>
          Try again in a moment.
        </Problem>
      ) : (
        <Skeleton className="h-80" />
      )}
    </Card>
  )
}
