import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { outcomeLook } from './delivery-words.ts'
import type { Delivery } from './queries.ts'

interface OutcomesProps {
  outcomes: Delivery['outcomes']
  /** Leads to the deployment that came of it. */
  renderDeployment: (applicationId: string, deploymentId: string) => ReactNode
}

/** What became of it, for each application that it is about. */
export function Outcomes({ outcomes, renderDeployment }: OutcomesProps) {
  if (outcomes.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">What became of it</h3>
      <ul className="divide-y divide-line rounded-md border border-line">
        {outcomes.map((outcome) => (
          <li
            key={outcome.application?.id ?? outcome.says}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2"
          >
            <Badge tone={outcomeLook(outcome).tone}>{outcomeLook(outcome).word}</Badge>
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              {outcome.application && <bdi className="font-medium">{outcome.application.name}: </bdi>}
              {outcome.says}
            </span>
            {outcome.application &&
              outcome.deployment_id &&
              renderDeployment(outcome.application.id, outcome.deployment_id)}
          </li>
        ))}
      </ul>
    </section>
  )
}
