import { emit, update } from './events.ts'
import { describePrice } from './prices.ts'
import type { Invoice, Subscription, SubscriptionItem } from './records.ts'
import { type ApiObject, list, present } from './schema.ts'
import { getById, type State } from './state.ts'

export function presentSubscription(state: State, subscription: Subscription): ApiObject {
  const { id, created, customer, items, pending_update: pending, cancel_at } = subscription
  const describe = (all: SubscriptionItem[]) => all.map((item) => describeItem(state, subscription, item))
  const isHidden = subscription.cancel_at_period_end && !state.settings.showsCancelAt
  return present('Subscription', {
    ...subscription,
    cancel_at: isHidden ? null : cancel_at,
    billing_mode: { type: 'flexible' },
    collection_method: 'charge_automatically',
    default_payment_method: state.customers.find((one) => one.id === customer)?.card?.id,
    invoice_settings: { issuer: { type: 'self' } },
    items: list(`/v1/subscription_items?subscription=${id}`, describe(items)),
    pending_update: pending && {
      billing_cycle_anchor: pending.changes.billing_cycle_anchor,
      cancel_at_period_end: pending.cancel_at_period_end,
      expires_at: pending.expires_at,
      subscription_items: describe(pending.changes.items),
    },
    start_date: created,
  })
}

/** The items have the billing period, and no longer the subscription. */
const describeItem = ({ prices }: State, subscription: Subscription, item: SubscriptionItem) => ({
  ...item,
  price: describePrice(getById(prices, item.price)),
  plan: { id: item.price, object: 'plan' },
  current_period_start: subscription.current_period_start,
  current_period_end: subscription.current_period_end,
  subscription: subscription.id,
})

export const changeSubscription = (
  state: State,
  subscription: Subscription,
  changes: Partial<Subscription>,
) => update(state, 'customer.subscription.updated', subscription, changes, presentSubscription)

const findLive = ({ subscriptions }: State, invoice: Invoice): Subscription | undefined =>
  subscriptions.find(({ id, status }) => id === invoice.subscription && status !== 'canceled')

/** A paid invoice applies the update that waited for it, and ends what is past due. */
export function onInvoicePaid(state: State, invoice: Invoice) {
  const subscription = findLive(state, invoice)
  if (!subscription) return
  if (subscription.pending_update?.invoice === invoice.id) {
    const { changes } = subscription.pending_update
    changeSubscription(state, subscription, { ...changes, pending_update: null })
    emitFor(state, subscription, 'pending_update_applied')
  }
  const isOwing = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status)
  if (isOwing && subscription.latest_invoice === invoice.id)
    changeSubscription(state, subscription, { status: 'active' })
}

export function onInvoiceVoided(state: State, invoice: Invoice) {
  const subscription = findLive(state, invoice)
  if (subscription?.pending_update?.invoice !== invoice.id) return
  changeSubscription(state, subscription, { pending_update: null })
  emitFor(state, subscription, 'pending_update_expired')
}

/** The subscription is past due; after the last retry the settings decide. */
export function onPaymentFailed(state: State, invoice: Invoice) {
  const subscription = findLive(state, invoice)
  if (!subscription || subscription.pending_update?.invoice === invoice.id) return
  if (subscription.status === 'active') changeSubscription(state, subscription, { status: 'past_due' })
  const isLastAttempt = invoice.auto_advance && invoice.next_payment_attempt === null
  if (!isLastAttempt || subscription.status !== 'past_due') return
  if (state.settings.afterRetries === 'unpaid') changeSubscription(state, subscription, { status: 'unpaid' })
  if (state.settings.afterRetries === 'cancel') cancelNow(state, subscription, 'payment_failed')
}

/** Cancels at once. Open invoices are no longer collected automatically. */
export function cancelNow(
  state: State,
  subscription: Subscription,
  reason = subscription.cancellation_details.reason ?? 'cancellation_requested',
) {
  const now = state.now()
  for (const invoice of state.invoices)
    if (invoice.subscription === subscription.id && (invoice.status === 'draft' || invoice.status === 'open'))
      Object.assign(invoice, {
        auto_advance: false,
        automatically_finalizes_at: null,
        next_payment_attempt: null,
      })
  Object.assign(subscription, {
    status: 'canceled',
    ended_at: now,
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: { reason },
    pending_update: null,
  })
  emitFor(state, subscription, 'deleted')
}

export const emitFor = (state: State, subscription: Subscription, event: string) =>
  emit(state, `customer.subscription.${event}`, presentSubscription(state, subscription))
