import type { ReactNode } from 'react'
import { ReviewSteps, ReviewWarnings } from '../../lib/review.tsx'
import { Card } from '../../ui/card.tsx'
import type { TemplateReviewResult } from './queries.ts'

interface TemplateReviewProps {
  review: TemplateReviewResult
  renderPlan: (plan: NonNullable<TemplateReviewResult['plan']>) => ReactNode
}

export const TemplateReview = ({ review, renderPlan }: TemplateReviewProps) => (
  <>
    <ReviewWarnings warnings={review.warnings} />
    <Card title="Deployment steps">
      <ReviewSteps steps={review.steps} />
    </Card>
    {review.plan && renderPlan(review.plan)}
  </>
)
