import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PlanSection } from './plan-section.tsx'
import { planQuery } from './plan-query.ts'
import { planBlocker } from './plan-labels.ts'

interface PlanBackProps {
  applicationId: string
  releaseId: string
  /** The buttons below it, with why one may not, where that is so. */
  children: (barred?: string) => ReactNode
}

/** What going back to a release would do with each service. */
export function RollbackPlan({ applicationId, releaseId, children }: PlanBackProps) {
  const query = useQuery(planQuery(applicationId, releaseId))
  return (
    <>
      <PlanSection query={query} />
      {children(query.data && planBlocker(query.data))}
    </>
  )
}
