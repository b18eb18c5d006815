import { Notice } from '../../ui/notice.tsx'
import { Day } from '../../ui/time.tsx'
import { ResumePlanButton } from './resume-plan-button.tsx'
import type { Subscription } from './queries.ts'

export function CancellationNotice({
  subscription: { plan, cancel_at: end },
}: {
  subscription: Subscription
}) {
  if (end === null) return null
  return (
    <Notice
      tone="yellow"
      title="Plan canceled"
      action={<ResumePlanButton plan={plan}>Keep plan</ResumePlanButton>}
    >
      Your plan stays active until <Day at={end} />. After that, nothing can be deployed or changed without a
      plan. Applications keep running.
    </Notice>
  )
}
