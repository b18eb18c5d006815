import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Day } from '../../ui/time.tsx'
import { useCancelPlan } from './mutations.ts'
import { isPaymentOverdue } from './plan-labels.ts'
import type { Subscription } from './queries.ts'

interface CancelDialogProps {
  subscription: Subscription
  onClose: () => void
}

export function CancelPlanDialog({ subscription, onClose }: CancelDialogProps) {
  const { plan, renews_at: end, status } = subscription
  const owed = isPaymentOverdue(subscription)
  const name = plan?.name ?? 'present'
  const cancel = useCancelPlan()

  async function confirm() {
    await cancel.mutateAsync()
    toast.success(`${name} plan canceled`)
    onClose()
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Cancel the ${name} plan?`}
      action="Cancel plan"
      dismiss="Keep plan"
      pending={cancel.isPending && 'Canceling…'}
      // The mutation shows errors; the dialog stays open.
      onConfirm={() => void confirm().catch(() => undefined)}
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
    </ConfirmDialog>
  )
}
