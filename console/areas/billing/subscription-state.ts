import type { Tone } from '../../ui/badge.tsx'
import { isSubscriptionEnded, isPaymentOverdue } from './plan-labels.ts'
import type { Subscription } from './queries.ts'

type State = Pick<Subscription, 'stripe_status' | 'status' | 'grace_ends_at' | 'cancel_at'>

export function subscriptionState(subscription: State): [tone: Tone, label: string] {
  const { stripe_status: status, cancel_at: cancelAt } = subscription
  if (isSubscriptionEnded(subscription)) return ['neutral', 'Ended']
  if (isPaymentOverdue(subscription)) return [status === 'active' ? 'yellow' : 'red', 'Payment due']
  if (cancelAt !== null) return ['yellow', 'Canceled']
  if (status !== 'active') return ['yellow', 'Paused']
  return ['green', subscription.status === 'trialing' ? 'Trial' : 'Active']
}
