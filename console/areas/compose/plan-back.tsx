import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AskedPlan } from './plan-asked.tsx'
import { planQuery } from './plan-query.ts'
import { whyNot } from './plan-words.ts'

interface PlanBackProps {
  applicationId: string
  releaseId: string
  /** The buttons below it, with why one may not, where that is so. */
  children: (barred?: string) => ReactNode
}

/** What going back to a release would do with each service. */
export function PlanBack({ applicationId, releaseId, children }: PlanBackProps) {
  const query = useQuery(planQuery(applicationId, releaseId))
  return (
    <>
      <AskedPlan query={query} />
      {children(query.data && whyNot(query.data))}
    </>
  )
}
