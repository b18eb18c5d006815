import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PlanSection } from './plan-section.tsx'
import { planQuery } from './plan-query.ts'
import { planBlocker } from './plan-labels.ts'

interface PlanBackProps {
  applicationId: string
  releaseId: string
  /** Receives the reason why the rollback is blocked, if it is. */
  children: (barred?: string) => ReactNode
}

export function RollbackPlan({ applicationId, releaseId, children }: PlanBackProps) {
  const query = useQuery(planQuery(applicationId, releaseId))
  return (
    <>
      <PlanSection query={query} />
      {children(query.data && planBlocker(query.data))}
    </>
  )
}
