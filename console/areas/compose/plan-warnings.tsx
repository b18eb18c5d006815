import { useQuery } from '@tanstack/react-query'
import { planQuery } from './plan-query.ts'
import { Warnings } from './plan-view.tsx'

/** Of a single image: what deploying it should not surprise anybody with. */
export const PlanWarnings = ({ applicationId }: { applicationId: string }) => (
  <Warnings warnings={useQuery(planQuery(applicationId)).data?.warnings ?? []} />
)
