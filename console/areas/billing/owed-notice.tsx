import { ButtonAnchor } from '../../ui/button.tsx'
import { moneyInWords } from '../../ui/format/money.ts'
import { Notice } from '../../ui/notice.tsx'
import { Day } from '../../ui/time.tsx'
import { KeepButton } from './keep-button.tsx'
import { PortalButton } from './portal-button.tsx'
import type { Subscription } from './queries.ts'

/** A payment did not come through: what follows from it, and the two ways to mend it. */
export function OwedNotice({ subscription }: { subscription: Subscription }) {
  const { plan, grace_ends_at: grace, pay_url: payUrl, stripe_status: status, cancel_at: end } = subscription
  const going = status === 'active' && grace !== null
  const payment = paymentInWords(subscription)
  return (
    <Notice
      tone={going ? 'yellow' : 'red'}
      title={`${payment} ${going ? 'did not come through' : 'is owed'}`}
      action={
        <>
          {end !== null && <KeepButton plan={plan}>Keep plan</KeepButton>}
          <PortalButton>Change the card</PortalButton>
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
          Everything goes on as it is until <Day at={grace} />. If it is not paid by then, nothing can be
          deployed or changed here until it is; applications keep running.
        </>
      ) : (
        'Nothing can be deployed or changed here until it is paid. Your applications keep running.'
      )}
      {payUrl !== null &&
        ' A new card alone pays nothing of it: press Pay now as well, or wait until Stripe tries again.'}
      {end !== null && (
        <>
          {' '}
          The plan was cancelled, and ends on <Day at={end} />.
        </>
      )}
    </Notice>
  )
}

/** "A payment of €29.00" */
const paymentInWords = ({ owed_amount: amount, currency }: Subscription): string =>
  amount === null || currency === null ? 'A payment' : `A payment of ${moneyInWords(amount, currency)}`
