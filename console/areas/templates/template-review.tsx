import type { ReactNode } from 'react'
import { ReviewSteps, ReviewWarnings } from '../../lib/review.tsx'
import { Card } from '../../ui/card.tsx'
import type { Review } from './queries.ts'

interface TemplateReviewProps {
  review: Review
  renderPlan: (plan: NonNullable<Review['plan']>) => ReactNode
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
