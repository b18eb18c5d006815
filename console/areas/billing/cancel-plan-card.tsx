import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Day } from '../../ui/time.tsx'
import { isPaymentOverdue } from './plan-labels.ts'
import { type Subscription, useCancelPlan } from './queries.ts'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'

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

function CancelPlanDialog({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { plan, renews_at: end, status } = subscription
  const owed = isPaymentOverdue(subscription)
  const name = plan?.name ?? 'present'
  return (
    <ActionDialog
      title={`Cancel the ${name} plan?`}
      action="Cancel plan"
      dismiss="Keep plan"
      mutation={useCancelPlan()}
      input={undefined}
      pending="Canceling…"
      done={`${name} plan canceled`}
      onClose={onClose}
    >
      <div className="flex flex-col gap-2">
        <p>
          {owed ? 'Nothing more is charged after the overdue payment' : 'You keep access to everything'}
          {end !== null && (
            <>
              {owed ? ', and the plan ends on ' : ' until '}
              <Day at={end} />
            </>
          )}
          {!owed && `, and nothing ${status === 'trialing' ? '' : 'more '}is charged`}.
        </p>
        <p>
          After that the workspace has no plan. Applications keep running and nothing is deleted, but nothing
          can be deployed or changed until you choose a plan.
        </p>
      </div>
    </ActionDialog>
  )
}
