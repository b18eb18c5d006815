import { ButtonAnchor } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DateTime } from '../../ui/time.tsx'
import type { Subscription } from './queries.ts'

/** Shown while a plan change waits for payment confirmation. */
export function PaymentPendingNotice({ subscription }: { subscription: Subscription }) {
  const { plan, pending_change: waiting } = subscription
  if (waiting === null) return null
  return (
    <Notice
      tone="yellow"
      title={`Confirm the change to ${waiting.plan?.name ?? 'another plan'}`}
      action={
        <ButtonAnchor variant="primary" href={waiting.url}>
          Confirm payment
        </ButtonAnchor>
      }
    >
      Your bank requires you to confirm the payment at Stripe. Until then you stay on{' '}
      {plan?.name ?? 'your current plan'} and nothing is charged.
      {waiting.until !== null && (
        <>
          {' '}
          Confirm it by <DateTime at={waiting.until} />.
        </>
      )}
    </Notice>
  )
}
