import type { Stripe } from 'stripe'
import { noSuch } from './errors.ts'
import { collect, draftInvoice } from './invoices.ts'
import { fullLine, periodEnd, recurringOf } from './proration.ts'
import type { CheckoutSession, Subscription, SubscriptionItem } from './records.ts'
import { type Call, getNamed, listRoute, type Route, route } from './routes.ts'
import { getById, newId, type State } from './state.ts'
import { cancelNow, changeSubscription, emitFor, presentSubscription } from './subscription-status.ts'
import { updateSubscription } from './subscription-update.ts'

const getSubscription = (call: Call) => getNamed(call, call.state.subscriptions, 'subscription')

export const subscriptionRoutes: Route[] = [
  route('GET /v1/subscriptions/:id', (call) => presentSubscription(call.state, getSubscription(call))),
  listRoute<Subscription>('GET /v1/subscriptions', listSubscriptions, presentSubscription),
  route('POST /v1/subscriptions/:id', (call, params: Stripe.SubscriptionUpdateParams) => {
    const subscription = getSubscription(call)
    updateSubscription(call.state, subscription, params)
    return presentSubscription(call.state, subscription)
  }),
  route('DELETE /v1/subscriptions/:id', (call) => {
    const subscription = getSubscription(call)
    if (subscription.status === 'canceled') throw noSuch(404, 'subscription', subscription.id, 'id')
    cancelNow(call.state, subscription)
    return presentSubscription(call.state, subscription)
  }),
]

function listSubscriptions(
  { subscriptions, customers }: State,
  { customer, status }: Stripe.SubscriptionListParams,
) {
  // The subscriptions of a deleted customer are still listed.
  if (customer !== undefined && !customers.some(({ id }) => id === customer))
    throw noSuch(400, 'customer', customer, 'customer')
  return subscriptions.filter((one) => {
    if (customer !== undefined && one.customer !== customer) return false
    if (status === undefined) return one.status !== 'canceled'
    return status === 'all' || one.status === (status === 'ended' ? 'canceled' : status)
  })
}

/** Starts the subscription of a completed session, whose card was just accepted. */
export function startSubscription(state: State, session: CheckoutSession, currency: string): Subscription {
  const now = state.now()
  const { metadata, trial_end } = session.subscription_data
  const trialEnd = trial_end !== null && trial_end > now ? trial_end : null
  const items = session.line_items.map((item): SubscriptionItem => ({
    ...item,
    id: newId('si', 14),
    created: now,
  }))
  const period = { start: now, end: trialEnd ?? periodEnd(now, recurringOf(state, items), now) }
  const subscription: Subscription = {
    id: newId('sub'),
    customer: session.customer,
    created: now,
    currency,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    items,
    metadata: { ...metadata },
    automatic_tax: session.automatic_tax,
    billing_cycle_anchor: trialEnd ?? now,
    current_period_start: period.start,
    current_period_end: period.end,
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_details: { reason: null },
    latest_invoice: null,
    pending: [],
    pending_update: null,
  }
  state.subscriptions.push(subscription)
  const lines = items.map((item) => ({
    ...fullLine(state, currency, item, period),
    ...(trialEnd !== null && { amount: 0 }),
  }))
  const invoice = draftInvoice(state, subscription, lines, 'subscription_create')
  emitFor(state, subscription, 'created')
  collect(state, invoice, 'ok')
  return subscription
}

/** Begins the next period after a trial or a period, with an invoice that is finalized an hour later. */
export function renew(state: State, subscription: Subscription) {
  const { items, current_period_end: start, billing_cycle_anchor, pending, currency } = subscription
  const period = { start, end: periodEnd(billing_cycle_anchor, recurringOf(state, items), start) }
  const previous = { start: subscription.current_period_start, end: start }
  const lines = [...pending, ...items.map((item) => fullLine(state, currency, item, period))]
  const invoice = draftInvoice(state, subscription, lines, 'subscription_cycle', previous)
  // The invoices of an unpaid subscription stay drafts.
  if (subscription.status === 'unpaid') invoice.auto_advance = false
  else invoice.automatically_finalizes_at = state.now() + 3600
  changeSubscription(state, subscription, {
    current_period_start: period.start,
    current_period_end: period.end,
    pending: [],
    ...(subscription.status === 'trialing' && { status: 'active' }),
  })
}

/** The live subscription with this id or of this customer. */
export function findSubscription({ subscriptions }: State, id: string): Subscription {
  const ofCustomer = subscriptions.find(({ customer, status }) => customer === id && status !== 'canceled')
  return ofCustomer ?? getById(subscriptions, id)
}
