import { ButtonAnchor } from '../../ui/button.tsx'
import { formatMoney } from '../../ui/format/money.ts'
import { Notice } from '../../ui/notice.tsx'
import { Day } from '../../ui/time.tsx'
import { ResumePlanButton } from './resume-plan-button.tsx'
import { PortalButton } from './portal-button.tsx'
import type { Subscription } from './queries.ts'

/** Shown while a payment is overdue. */
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
          Your plan stays active until <Day at={grace} />. If the payment is not made by then, nothing can be
          deployed or changed until it is. Applications keep running.
        </>
      ) : (
        'Nothing can be deployed or changed until the payment is made. Applications keep running.'
      )}
      {payUrl !== null &&
        ' A new card is not charged automatically: select Pay now as well, or wait until Stripe retries.'}
      {end !== null && (
        <>
          {' '}
          The plan is canceled and ends on <Day at={end} />.
        </>
      )}
    </Notice>
  )
}

/** "A payment of €29.00" */
const formatPayment = ({ amount_due: amount, currency }: Subscription): string =>
  amount === null || currency === null ? 'A payment' : `A payment of ${formatMoney(amount, currency)}`
