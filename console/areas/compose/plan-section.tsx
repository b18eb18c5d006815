import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { DeploymentPlan } from './plan-query.ts'
import { PlanView } from './plan-view.tsx'

interface AskedPlanProps {
  query: { data: DeploymentPlan | undefined; error: Error | null; refetch: () => Promise<unknown> }
}

export function PlanSection({ query: { data: plan, error, refetch } }: AskedPlanProps) {
  return (
    <section aria-label="Plan" aria-busy={!plan && !error}>
      {plan && <PlanView plan={plan} />}
      {!plan && error && (
        <div className="rounded-md border border-line">
          <Problem title="Couldn't load the plan" onRetry={() => void refetch()}>
            {error.message || 'Try again in a moment.'}
          </Problem>
        </div>
      )}
      {!plan && !error && (
        <div className="flex flex-col gap-3 rounded-md border border-line p-4">
          {['w-80', 'w-96', 'w-64'].map((width) => (
            <Skeleton key={width} className={`h-4 max-w-full ${width}`} />
          ))}
        </div>
      )}
    </section>
  )
}
