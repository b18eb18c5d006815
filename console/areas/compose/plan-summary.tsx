import { ChevronRight } from 'lucide-react'
import type { DeploymentPlan } from './plan-query.ts'
import { PlanTable } from './plan-table.tsx'
import { planSummary } from './plan-labels.ts'

type Planned = Pick<DeploymentPlan['services'][number], 'name' | 'action' | 'reasons'>

/** Collapsed to one line by default. */
export const PlanSummary = ({ services }: { services: readonly Planned[] }) => (
  <details className="group text-sm">
    <summary className="flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-sm font-medium">
      <ChevronRight className="size-4 shrink-0 text-muted group-open:rotate-90" aria-hidden />
      Plan: {planSummary(services)}
    </summary>
    <div className="pt-1">
      <PlanTable services={services} />
    </div>
  </details>
)
