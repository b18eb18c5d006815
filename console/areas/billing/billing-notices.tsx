import { ButtonAnchor } from '../../ui/button.tsx'
import { formatMoney } from '../../../contract/shared/money.ts'
import { Notice } from '../../ui/notice.tsx'
import { DateTime, Day, useNow } from '../../ui/time.tsx'
import { PortalButton, ResumePlanButton } from './billing-buttons.tsx'
import type { Subscription } from './queries.ts'

export function PaymentOverdueNotice({ subscription }: { subscription: Subscription }) {
  const { plan, grace_ends_at: grace, pay_url: payUrl, stripe_status: status, cancel_at: end } = subscription
  const going = status === 'active' && grace !== null
  const payment = formatPayment(subscription)
  return (
    <Notice
      tone={going ? 'yellow' : 'red'}
      title={`${payment} ${going ? 'failed' : 'is overdue'}`}
      action={
        <>
          {end !== null && <ResumePlanButton plan={plan}>Keep plan</ResumePlanButton>}
          <PortalButton>Update card</PortalButton>
          {payUrl !== null && (
            <ButtonAnchor variant="primary" href={payUrl}>
              Pay now
            </ButtonAnchor>
          )}
        </>
      }
    >
      {going ? (
        <>
          Your plan stays active until <Day at={grace} />. After that, you cannot deploy or make changes until
          the payment is made. Applications keep running.
        </>
      ) : (
        'You cannot deploy or make changes until the payment is made. Applications keep running.'
      )}
      {payUrl !== null && ' After updating the card, select Pay now or wait for Stripe to retry the payment.'}
      {end !== null && (
        <>
          {' '}
          The plan is canceled and ends on <Day at={end} />.
        </>
      )}
    </Notice>
  )
}

const formatPayment = ({ amount_due: amount, currency }: Subscription): string =>
  amount === null || currency === null ? 'A payment' : `A payment of ${formatMoney(amount, currency)}`

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
      Your plan stays active until <Day at={end} />. After that, you cannot deploy or make changes without a
      plan. Applications keep running.
    </Notice>
  )
}

export function PaymentPendingNotice({ subscription }: { subscription: Subscription }) {
  const { plan, pending_change: waiting } = subscription
  if (waiting === null) return null
  return (
    <Notice
      tone="yellow"
      title={`Confirm your change to ${waiting.plan?.name ?? 'another plan'}`}
      action={
        <ButtonAnchor variant="primary" href={waiting.url}>
          Confirm payment
        </ButtonAnchor>
      }
    >
      Your bank requires you to confirm the payment. Until then, you stay on{' '}
      {plan ? `the ${plan.name} plan` : 'your current plan'} and are not charged.
      {waiting.until !== null && (
        <>
          {' '}
          Confirm the payment by <DateTime at={waiting.until} />.
        </>
      )}
    </Notice>
  )
}

/** Minimum remaining trial for a checkout: Stripe keeps a trial of at least two days, and the checkout takes time. */
const least = 50 * 3_600_000

export function TrialNotice({ end, owns }: { end: string; owns: boolean }) {
  const left = new Date(end).getTime() - useNow()
  return (
    <>
      The trial ends on <Day at={end} />.{' '}
      {owns &&
        (left > least
          ? 'If you choose a plan now, the first payment is due on that day.'
          : 'If you choose a plan now, you are charged immediately.')}
    </>
  )
}
