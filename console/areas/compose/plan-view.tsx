import { AddressText } from '../../lib/address-text.tsx'
import { ReviewHostAccess, ReviewWarnings } from '../../lib/review.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { DeploymentPlan } from './plan-query.ts'
import { PlanTable } from './plan-table.tsx'
import { planSummary } from './plan-labels.ts'

export function PlanView({ plan }: { plan: DeploymentPlan }) {
  const { services, warnings, host_access, allowed, problems } = plan
  return (
    <div className="flex flex-col gap-3">
      {problems.length > 0 && (
        <Notice tone="red" title="This can't be deployed">
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
