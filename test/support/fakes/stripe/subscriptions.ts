import { changeSubscription, emit } from './events.ts'
import { attempt, customerOf, draftInvoice, finalize } from './invoices.ts'
import { day, fullLines, periodEnd, prorated, rhythmOf, trialLines } from './proration.ts'
import type { Item, Subscription } from './records.ts'
import { showSubscription } from './show.ts'
import { endSubscription } from './standing.ts'
import { newId, type State } from './state.ts'

const hour = 3600

type Begun = Pick<
  Subscription,
  'customer' | 'currency' | 'metadata' | 'description' | 'automatic_tax' | 'missingCard'
> & { items: { price: string; quantity: number }[]; trialEnd: number | null }

/** Begins with what is paid now: a card that was just given is known to be good for it. */
export function startSubscription(state: State, { items, trialEnd, ...given }: Begun): Subscription {
  const now = state.now()
  const made = items.map((item): Item => ({ ...item, id: newId('si', 14), created: now, metadata: {} }))
  const end = trialEnd ?? periodEnd(now, rhythmOf(state, made), now)
  const subscription: Subscription = {
    id: newId('sub'),
    ...given,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    items: made,
    created: now,
    start_date: now,
    billing_cycle_anchor: trialEnd ?? now,
    current_period_start: now,
    current_period_end: end,
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
    toldOfTrialEnd: false,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    latest_invoice: null,
    pending: [],
    pending_update: null,
  }
  state.subscriptions.push(subscription)
  const period = { start: now, end }
  const lines = (trialEnd === null ? fullLines : trialLines)(state, subscription, made, period)
  const invoice = draftInvoice(state, subscription, lines, 'subscription_create')
  emit(state, 'customer.subscription.created', showSubscription(state, subscription))
  finalize(state, invoice)
  attempt(state, invoice, { as: 'ok' })
  return subscription
}

/** Three days before its end, or at once where it is shorter. */
export const tellsOfTrialEnd = ({ trial_end }: Subscription) => (trial_end ?? 0) - 3 * day

export function tellOfTrialEnd(state: State, subscription: Subscription) {
  subscription.toldOfTrialEnd = true
  emit(state, 'customer.subscription.trial_will_end', showSubscription(state, subscription))
}

/** The trial or the period is over: a new one begins, with an invoice that becomes final an hour later. */
export function renew(state: State, subscription: Subscription) {
  const isTrialOver = subscription.status === 'trialing'
  const hasCard = customerOf(state, subscription).card !== undefined
  if (isTrialOver && !hasCard && subscription.missingCard === 'cancel')
    return endSubscription(state, subscription, 'payment_failed')
  if (isTrialOver && !hasCard && subscription.missingCard === 'pause') {
    changeSubscription(state, subscription, { status: 'paused' })
    return emit(state, 'customer.subscription.paused', showSubscription(state, subscription))
  }
  const start = subscription.current_period_end
  const period = {
    start,
    end: periodEnd(subscription.billing_cycle_anchor, rhythmOf(state, subscription.items), start),
  }
  const before = { start: subscription.current_period_start, end: start }
  const lines = [...subscription.pending, ...fullLines(state, subscription, subscription.items, period)]
  const invoice = draftInvoice(state, subscription, lines, 'subscription_cycle', before)
  // Whoever has stopped paying is not asked again by itself.
  if (subscription.status === 'unpaid') invoice.auto_advance = false
  else invoice.finalizes_at = state.now() + hour
  changeSubscription(state, subscription, {
    current_period_start: period.start,
    current_period_end: period.end,
    pending: [],
    ...(isTrialOver && { status: 'active' }),
  })
}

/** Asked for: at once, with what is left of the period given back if one says so. */
export function cancelNow(
  state: State,
  subscription: Subscription,
  { prorate = false, invoice_now = false, reason = 'cancellation_requested' } = {},
) {
  const { current_period_start: start, current_period_end: end, status } = subscription
  const now = state.now()
  if (prorate && status !== 'trialing') {
    const share = -(end - now) / (end - start)
    const credits = subscription.items.map((item) =>
      prorated(state, subscription, item, { start: now, end }, share),
    )
    subscription.pending.push(...credits)
  }
  endSubscription(state, subscription, reason)
  if (!invoice_now || subscription.pending.length === 0) return
  const invoice = draftInvoice(state, subscription, subscription.pending.splice(0), 'subscription_update')
  finalize(state, invoice)
  attempt(state, invoice)
}
