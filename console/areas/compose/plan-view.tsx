import { AddressText } from '../../lib/address.tsx'
import { ReviewHostAccess, ReviewWarnings } from '../../lib/review.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { DeploymentPlan } from './queries.ts'
import { actionLabel, planSummary } from './plan-labels.ts'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { sortByName } from './service-labels.ts'
import { ChevronRight } from 'lucide-react'

export function PlanView({ plan }: { plan: DeploymentPlan }) {
  const { services, warnings, host_access, allowed, problems } = plan
  return (
    <div className="flex flex-col gap-3">
      {problems.length > 0 && (
        <Notice tone="red" title="This configuration cannot be deployed">
          <ul className="flex flex-col gap-1">
            {problems.map(({ line, column, message }) => (
              <li key={`${line}:${column} ${message}`}>
                {line > 1 && <span className="font-medium">Line {line}: </span>}
                <AddressText revealable>{message}</AddressText>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <ReviewHostAccess items={host_access} allowed={allowed} />
      <ReviewWarnings warnings={warnings} />
      {services.length > 0 && (
        <>
          {services.length > 1 && <p className="text-sm font-medium">{planSummary(services)}</p>}
          <PlanTable services={services} />
        </>
      )}
    </div>
  )
}

interface AskedPlanProps {
  query: { data: DeploymentPlan | undefined; error: Error | null; refetch: () => Promise<unknown> }
}

export const PlanSection = ({ query: { data: plan, error, refetch } }: AskedPlanProps) => (
  <section aria-label="Plan" aria-busy={!plan && !error}>
    {plan && <PlanView plan={plan} />}
    {!plan && error && (
      <div className="rounded-md border border-line">
        <Problem title="Could not load plan" error={error} onRetry={refetch} />
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

type Planned = Pick<DeploymentPlan['services'][number], 'name' | 'action' | 'reasons'>

export const PlanTable = ({ services }: { services: readonly Planned[] }) => (
  <div className="overflow-hidden rounded-md border border-line">
    <Table label="Plan" columns={columns} rows={sortByName(services)} rowKey={({ name }) => name} />
  </div>
)

const columns: [Column<Planned>, ...Column<Planned>[]] = [
  {
    head: 'Service',
    cell: ({ name }) => <bdi className="wrap-anywhere sm:inline-block sm:min-w-24">{name}</bdi>,
  },
  {
    head: 'Action',
    cell: ({ action }) => {
      const [tone, word] = actionLabel(action)
      return <Badge tone={tone}>{word}</Badge>
    },
    narrow: true,
  },
  {
    head: 'Reason',
    cell: ({ action, reasons }) => (
      <span className="flex flex-col gap-0.5 py-2 wrap-anywhere max-sm:py-0">
        {reasons.map((sentence) => (
          <span key={sentence}>
            <AddressText>{sentence}</AddressText>
          </span>
        ))}
        <span className="text-muted">{actionLabel(action)[2]}</span>
      </span>
    ),
  },
]

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
