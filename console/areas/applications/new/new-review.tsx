import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { ReviewSteps, ReviewWarnings } from '../../../lib/review.tsx'
import { Card } from '../../../ui/card.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toRequestBody } from './new-body.ts'
import type { NewApplicationDraft } from './new-draft.ts'
import { reviewQuery } from './new-queries.ts'
import { type FieldErrors, firstErrors } from './new-steps.ts'

interface ReviewProps {
  draft: NewApplicationDraft
  /** The review found problems: these fields must be changed. */
  onRefused: (fields: FieldErrors) => void
  renderPlan: (plan: Plan) => ReactNode
}

type Plan = NonNullable<Reply<Api['POST /v1/applications/review']>['review']['plan']>

export function NewApplicationReview({ draft, onRefused, renderPlan }: ReviewProps) {
  const { data: review, error, refetch } = useQuery(reviewQuery(toRequestBody(draft)))
  const errors = error instanceof ApiError ? error.fields : firstErrors(review?.problems ?? {})
  const refused = Object.keys(errors).length > 0
  const refuse = useEffectEvent(() => onRefused(errors))
  useEffect(() => {
    if (refused) refuse()
  }, [refused])
  if (error && !review && !refused)
    return (
      <Card>
        <Problem title="Review failed" error={error} onRetry={refetch} />
      </Card>
    )
  return (
    <>
      {review && <ReviewWarnings warnings={review.warnings} />}
      <Card title={`Steps to create ${draft.name.trim()}`}>
        {review && !refused ? (
          <ReviewSteps steps={review.steps} />
        ) : (
          <div className="flex flex-col gap-3" aria-busy>
            <Skeleton className="h-4 w-80 max-w-full" />
            <Skeleton className="h-4 w-96 max-w-full" />
            <Skeleton className="h-4 w-64 max-w-full" />
          </div>
        )}
      </Card>
      {review?.plan && !refused && renderPlan(review.plan)}
    </>
  )
}
