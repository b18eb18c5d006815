import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Plan, plansQuery } from './queries.ts'

export function PlanList({ renderPlan }: { renderPlan: (plan: Plan) => ReactNode }) {
  const { data: plans, error, refetch } = useQuery(plansQuery)
  if (error && !plans)
    return (
      <div className="rounded-lg border border-line bg-raised">
        <Problem title="The plans could not be loaded" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
        </Problem>
      </div>
    )
  if (plans?.length === 0)
    return (
      <div className="rounded-lg border border-line bg-raised">
        <EmptyState title="No plans available">Ask the operator of this instance.</EmptyState>
      </div>
    )
  if (!plans) return <PlansSkeleton />
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label="Plans" className={gridClasses}>
        {plans.map(renderPlan)}
      </ul>
      <p className="text-sm text-muted">Tax is added at checkout where applicable.</p>
    </div>
  )
}

export const PlansSkeleton = () => (
  <ul aria-label="Plans" aria-busy className={gridClasses}>
    {Array.from({ length: 3 }, (_, index) => (
      <li key={index}>
        <Skeleton className="h-60 w-full rounded-lg!" />
      </li>
    ))}
  </ul>
)

const gridClasses = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-4'
