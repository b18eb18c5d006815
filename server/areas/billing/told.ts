import type { EventType } from '../../../contract/shared/events.ts'
import { isLive, isOwed, isPaid } from './status.ts'
import type { SubscriptionRow } from './store.ts'

export interface Told {
  type: EventType
  detail?: string
  /** Target of the event, if not the current plan. */
  plan_id?: string | null
}

/** Returns the events for the difference between two states of a subscription. */
export function told(before: SubscriptionRow, after: SubscriptionRow): Told[] {
  if (!isLive(after)) return isLive(before) ? [{ type: 'billing.ended' }] : []
  if (!isLive(before)) return begun(after)
  return [
    ...ofPlan(before, after),
    ...ofWaiting(before, after),
    ...ofCancelling(before, after),
    ...(isOwed(after) && !isOwed(before) ? failed(after) : []),
    ...ofPaying(before, after),
  ]
}

const begun = (after: SubscriptionRow): Told[] => [
  {
    type: 'billing.subscribed',
    ...(after.trial_ends_at && after.stripe_status === 'trialing'
      ? { detail: `The first payment is due on ${dayOf(after.trial_ends_at)}.` }
      : {}),
  },
  ...(isOwed(after) ? failed(after) : []),
]

function ofPlan(before: SubscriptionRow, after: SubscriptionRow): Told[] {
  return isSold(before, after) ? [] : [{ type: 'billing.plan_changed' }]
}

/** Compares prices, which may be custom. */
const isSold = (before: SubscriptionRow, after: SubscriptionRow) =>
  before.plan_id === after.plan_id &&
  (after.plan_id !== null ||
    (before.amount === after.amount &&
      before.interval === after.interval &&
      before.currency === after.currency))

function ofWaiting(before: SubscriptionRow, after: SubscriptionRow): Told[] {
  const { held_url, held_plan_id: plan_id } = after
  if (!held_url || isSameWait(before, after)) return []
  const detail = 'It applies once the payment is confirmed.'
  return [{ type: 'billing.change_started', detail, plan_id }]
}

/** The URL changes with each request. */
const isSameWait = (before: SubscriptionRow, after: SubscriptionRow) =>
  before.held_url !== null &&
  before.held_plan_id === after.held_plan_id &&
  before.held_until?.getTime() === after.held_until?.getTime()

function ofCancelling(before: SubscriptionRow, after: SubscriptionRow): Told[] {
  if (after.cancel_at && !before.cancel_at)
    return [{ type: 'billing.cancelled', detail: `It ends on ${dayOf(after.cancel_at)}.` }]
  return before.cancel_at && !after.cancel_at ? [{ type: 'billing.resumed' }] : []
}

const failed = ({ past_due_since }: SubscriptionRow): Told[] => [
  {
    type: 'billing.payment_failed',
    ...(past_due_since && { detail: `Overdue since ${dayOf(past_due_since)}.` }),
  },
]

function ofPaying(before: SubscriptionRow, after: SubscriptionRow): Told[] {
  if (!isPaid(after)) return []
  if (isOwed(before)) return [{ type: 'billing.recovered' }]
  const [was, is] = [before.period_ends_at, after.period_ends_at]
  // A plan change can start a new period.
  const renewed = isPaid(before) && was && is && is > was && isSold(before, after)
  return renewed ? [{ type: 'billing.renewed', detail: `Paid until ${dayOf(is)}.` }] : []
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Formats a date as `12 December 2026`. */
export const dayOf = (at: Date): string => days.format(at)
