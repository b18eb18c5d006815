import type { EventType } from '../../../contract/shared/events.ts'
import {
  isLiveSubscription,
  isPaymentOverdue,
  isPaidSubscription,
} from '../workspaces/subscription-status.ts'
import type { SubscriptionRow } from './store.ts'

export interface BillingEvent {
  type: EventType
  detail?: string
  plan_id?: string | null
}

export function diffSubscription(before: SubscriptionRow, after: SubscriptionRow): BillingEvent[] {
  if (!isLiveSubscription(after)) return isLiveSubscription(before) ? [{ type: 'billing.ended' }] : []
  if (!isLiveSubscription(before)) return startEvents(after)
  return [
    ...planEvents(before, after),
    ...pendingChangeEvents(before, after),
    ...cancellationEvents(before, after),
    ...(isPaymentOverdue(after) && !isPaymentOverdue(before) ? paymentFailedEvents(after) : []),
    ...paymentEvents(before, after),
  ]
}

const startEvents = (after: SubscriptionRow): BillingEvent[] => [
  {
    type: 'billing.subscribed',
    ...(after.trial_ends_at && after.stripe_status === 'trialing'
      ? { detail: `The first payment is due on ${formatDay(after.trial_ends_at)}.` }
      : {}),
  },
  ...(isPaymentOverdue(after) ? paymentFailedEvents(after) : []),
]

function planEvents(before: SubscriptionRow, after: SubscriptionRow): BillingEvent[] {
  return isSamePrice(before, after) ? [] : [{ type: 'billing.plan_changed' }]
}

/** Compares the amounts of subscriptions without a plan, because their prices are custom. */
const isSamePrice = (before: SubscriptionRow, after: SubscriptionRow) =>
  before.plan_id === after.plan_id &&
  (after.plan_id !== null ||
    (before.amount === after.amount &&
      before.interval === after.interval &&
      before.currency === after.currency))

function pendingChangeEvents(before: SubscriptionRow, after: SubscriptionRow): BillingEvent[] {
  const { held_url, held_plan_id: plan_id } = after
  if (!held_url || isSamePendingChange(before, after)) return []
  const detail = 'The change applies once the payment is confirmed.'
  return [{ type: 'billing.change_started', detail, plan_id }]
}

/** Ignores the URL, which changes with each request. */
const isSamePendingChange = (before: SubscriptionRow, after: SubscriptionRow) =>
  before.held_url !== null &&
  before.held_plan_id === after.held_plan_id &&
  before.held_until?.getTime() === after.held_until?.getTime()

function cancellationEvents(before: SubscriptionRow, after: SubscriptionRow): BillingEvent[] {
  if (after.cancel_at && !before.cancel_at)
    return [{ type: 'billing.cancelled', detail: `The plan ends on ${formatDay(after.cancel_at)}.` }]
  return before.cancel_at && !after.cancel_at ? [{ type: 'billing.resumed' }] : []
}

const paymentFailedEvents = ({ past_due_since }: SubscriptionRow): BillingEvent[] => [
  {
    type: 'billing.payment_failed',
    ...(past_due_since && { detail: `Overdue since ${formatDay(past_due_since)}.` }),
  },
]

function paymentEvents(before: SubscriptionRow, after: SubscriptionRow): BillingEvent[] {
  if (!isPaidSubscription(after)) return []
  if (isPaymentOverdue(before)) return [{ type: 'billing.recovered' }]
  const [was, is] = [before.period_ends_at, after.period_ends_at]
  // A plan change can start a new period, which is not a renewal.
  const renewed = isPaidSubscription(before) && was && is && is > was && isSamePrice(before, after)
  return renewed ? [{ type: 'billing.renewed', detail: `Paid until ${formatDay(is)}.` }] : []
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const formatDay = (at: Date): string => days.format(at)
