import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Plan, plansQuery } from './queries.ts'
import { Check, TriangleAlert } from 'lucide-react'
import { Card } from '../../ui/card.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatAmount, formatInterval, formatPlanLimits } from './plan-labels.ts'

export function PlanList({ renderPlan }: { renderPlan: (plan: Plan) => ReactNode }) {
  const query = useQuery(plansQuery)
  const { data: plans } = query
  if (!plans)
    return <QueryFallback query={query} failed="Could not load plans" card skeleton={<PlansSkeleton />} />
  if (plans.length === 0)
    return (
      <Card flush>
        <EmptyState title="No plans available">Contact the operator of this instance.</EmptyState>
      </Card>
    )
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

interface PlanCardProps {
  plan: Plan
  current?: Tone | undefined
  warnings?: readonly string[]
  children?: ReactNode
}

export function PlanCard({ plan, current, warnings = [], children }: PlanCardProps) {
  const { name, limits, unavailable_reason: unavailableReason } = plan
  const amount = formatAmount(plan)
  return (
    <li
      className={classNames(
        'flex flex-col gap-4 rounded-lg border bg-raised p-4',
        current ? 'border-accent-ink' : 'border-line',
      )}
    >
      <div className="flex flex-col gap-2">
        <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 className="text-base font-semibold wrap-anywhere">{name}</h2>
          {current && <Badge tone={current}>Current plan</Badge>}
        </div>
        <p className="flex flex-wrap items-baseline gap-x-1.5">
          {amount === undefined ? (
            <span className="text-muted">Price unavailable</span>
          ) : (
            <>
              <span className="text-2xl font-semibold tracking-tight tabular-nums">{amount}</span>
              <span className="text-muted">{formatInterval(plan)}</span>
            </>
          )}
        </p>
      </div>
      <ul className="flex flex-col gap-1.5">
        {formatPlanLimits(limits).map((words) => (
          <li key={words} className="flex gap-2">
            <Check className="mt-0.5 size-4 shrink-0 text-green-ink" aria-hidden />
            {words}
          </li>
        ))}
      </ul>
      {[...warnings, ...(unavailableReason === null ? [] : [unavailableReason])].map((words) => (
        <p key={words} className="flex gap-2 text-sm">
          <TriangleAlert className="mt-0.5 size-4 shrink-0 text-yellow-ink" aria-hidden />
          <span className="min-w-0 wrap-anywhere">{words}</span>
        </p>
      ))}
      <div className="mt-auto pt-1 empty:hidden">{children}</div>
    </li>
  )
}
