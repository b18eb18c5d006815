import { ButtonAnchor } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Moment } from '../../ui/time.tsx'
import type { Subscription } from './queries.ts'

/** A change of plan was asked for, and whoever has the card has to confirm its payment first. */
export function WaitingNotice({ subscription }: { subscription: Subscription }) {
  const { plan, waiting_change: waiting } = subscription
  if (waiting === null) return null
  return (
    <Notice
      tone="yellow"
      title={`The change to ${waiting.plan?.name ?? 'another plan'} waits to be confirmed`}
      action={
        <ButtonAnchor variant="primary" href={waiting.url}>
          Confirm payment
        </ButtonAnchor>
      }
    >
      The bank asks you to confirm its payment at Stripe. Until then you stay on{' '}
      {plan?.name ?? 'your present plan'} and nothing is charged.
      {waiting.until !== null && (
        <>
          {' '}
          It can be confirmed until <Moment at={waiting.until} />.
        </>
      )}
    </Notice>
  )
}
