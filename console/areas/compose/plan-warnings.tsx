import { useQuery } from '@tanstack/react-query'
import { planQuery } from './plan-query.ts'
import { ReviewWarnings } from '../../lib/review.tsx'

/** Of a single image: what deploying it should not surprise anybody with. */
export const PlanWarnings = ({ applicationId }: { applicationId: string }) => (
  <ReviewWarnings warnings={useQuery(planQuery(applicationId)).data?.warnings ?? []} />
)
