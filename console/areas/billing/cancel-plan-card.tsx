import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Day } from '../../ui/time.tsx'
import { CancelPlanDialog } from './cancel-plan-dialog.tsx'
import { isPaymentOverdue } from './plan-labels.ts'
import type { Subscription } from './queries.ts'

export function CancelPlanCard({ subscription }: { subscription: Subscription }) {
  const { dialog, open, close } = useDialog()
  const { renews_at: end } = subscription
  const owed = isPaymentOverdue(subscription)
  return (
    <Card
      title="Cancel your plan"
      footer={
        <>
          You can undo this until the plan ends.
          <Button onClick={() => open('cancel-plan')}>Cancel plan</Button>
        </>
      }
    >
      <p className="text-muted">
        {endsWith(subscription)}
        {end !== null && (
          <>
            {owed ? ' on ' : ', on '}
            <Day at={end} />
          </>
        )}
        . Applications keep running, but without a plan nothing can be deployed or changed.
      </p>
      {dialog === 'cancel-plan' && <CancelPlanDialog subscription={subscription} onClose={close} />}
    </Card>
  )
}

function endsWith(subscription: Subscription): string {
  if (isPaymentOverdue(subscription)) return 'Nothing is charged after the overdue payment, and the plan ends'
  return `The plan ends with ${subscription.status === 'trialing' ? 'the trial' : 'the paid period'}`
}
