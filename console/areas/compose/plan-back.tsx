import { useQuery } from '@tanstack/react-query'
import { AskedPlan } from './plan-asked.tsx'
import { planQuery } from './plan-query.ts'

/** What going back to a release would do with each service. */
export const PlanBack = ({ applicationId, releaseId }: { applicationId: string; releaseId: string }) => (
  <AskedPlan query={useQuery(planQuery(applicationId, releaseId))} />
)
