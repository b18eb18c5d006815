import { changeSubscription, emit } from './events.ts'
import type { Invoice, PendingUpdate, Subscription } from './records.ts'
import { showSubscription } from './show.ts'
import type { State } from './state.ts'

const subscriptionOf = ({ subscriptions }: State, invoice: Invoice): Subscription | undefined =>
  subscriptions.find(({ id, status }) => id === invoice.subscription && status !== 'canceled')

/** What was owed is paid: the subscription is well again. */
export function paymentMade(state: State, invoice: Invoice) {
  const subscription = subscriptionOf(state, invoice)
  if (!subscription) return
  if (subscription.pending_update?.invoice === invoice.id) {
    changeSubscription(state, subscription, appliedOf(subscription, subscription.pending_update))
    emit(state, 'customer.subscription.pending_update_applied', showSubscription(state, subscription))
  }
  const owes = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status)
  if (owes && subscription.latest_invoice === invoice.id)
    changeSubscription(state, subscription, { status: 'active' })
}

function appliedOf(
  { cancel_at, canceled_at }: Subscription,
  { items, period, cancel_at_period_end }: PendingUpdate,
): Partial<Subscription> {
  const isTakenBack = cancel_at_period_end === false
  return {
    items,
    pending_update: null,
    ...(cancel_at_period_end !== null && { cancel_at_period_end }),
    cancel_at: isTakenBack ? null : cancel_at,
    canceled_at: isTakenBack ? null : canceled_at,
    ...(period && {
      current_period_start: period.start,
      current_period_end: period.end,
      billing_cycle_anchor: period.start,
    }),
  }
}

/** What waited for an invoice to be paid waits no longer. */
export function updateDropped(state: State, invoice: Invoice) {
  const subscription = subscriptionOf(state, invoice)
  if (subscription?.pending_update?.invoice !== invoice.id) return
  changeSubscription(state, subscription, { pending_update: null })
  emit(state, 'customer.subscription.pending_update_expired', showSubscription(state, subscription))
}

/** It is owed, and when nobody tries any more the settings say what then. */
export function paymentFailed(state: State, invoice: Invoice) {
  const subscription = subscriptionOf(state, invoice)
  if (!subscription || subscription.pending_update?.invoice === invoice.id) return
  if (subscription.status === 'active') changeSubscription(state, subscription, { status: 'past_due' })
  const isLast = invoice.auto_advance && invoice.next_payment_attempt === null
  if (!isLast || subscription.status !== 'past_due') return
  if (state.settings.afterRetries === 'unpaid') changeSubscription(state, subscription, { status: 'unpaid' })
  if (state.settings.afterRetries === 'cancel') endSubscription(state, subscription, 'payment_failed')
}

/** At once. What is open is no longer collected by itself. */
export function endSubscription(
  state: State,
  subscription: Subscription,
  reason = subscription.cancellation_details.reason ?? 'cancellation_requested',
) {
  const now = state.now()
  for (const invoice of state.invoices)
    if (invoice.subscription === subscription.id && ['draft', 'open'].includes(invoice.status))
      Object.assign(invoice, { auto_advance: false, finalizes_at: null, next_payment_attempt: null })
  Object.assign(subscription, {
    status: 'canceled',
    ended_at: now,
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: { ...subscription.cancellation_details, reason },
    pending_update: null,
  })
  emit(state, 'customer.subscription.deleted', showSubscription(state, subscription))
}
