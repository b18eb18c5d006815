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
      title="Cancel plan"
      footer={
        <>
          You can resume the plan until it ends.
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
        . Applications keep running, but you cannot deploy or make changes without a plan.
      </p>
      {dialog === 'cancel-plan' && <CancelPlanDialog subscription={subscription} onClose={close} />}
    </Card>
  )
}

function endsWith(subscription: Subscription): string {
  if (isPaymentOverdue(subscription))
    return 'The overdue payment remains due. You are not charged again, and the plan ends'
  return `The plan ends with the ${subscription.status === 'trialing' ? 'trial' : 'billing period'}`
}

function CancelPlanDialog({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  const { plan, renews_at: end, status } = subscription
  const owed = isPaymentOverdue(subscription)
  const name = plan?.name ?? 'current'
  return (
    <ActionDialog
      title={`Cancel the ${name} plan?`}
      action="Cancel plan"
      dismiss="Keep plan"
      mutation={useCancelPlan()}
      input={undefined}
      pending="Canceling…"
      done={plan ? `${plan.name} plan canceled` : 'Plan canceled'}
      onClose={onClose}
    >
      <div className="flex flex-col gap-2">
        <p>
          {owed ? 'The overdue payment remains due. You are not charged again' : 'Your plan stays active'}
          {end !== null && (
            <>
              {owed ? ', and the plan ends on ' : ' until '}
              <Day at={end} />
            </>
          )}
          {!owed && `, and you are not charged${status === 'trialing' ? '' : ' again'}`}.
        </p>
        <p>
          After that, applications keep running and nothing is deleted, but you cannot deploy or make changes
          until you choose a plan.
        </p>
      </div>
    </ActionDialog>
  )
}
