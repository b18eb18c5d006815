import type { Stripe } from 'stripe'
import { ApiError, cardError, invalidRequest, noSuch } from './errors.ts'
import { collect, computeInvoice, draftInvoice, voidInvoice } from './invoices.ts'
import { amountIn, getActivePrice } from './prices.ts'
import { planChange, type PlannedChange, recurringOf } from './proration.ts'
import type { InvoiceLine, PendingUpdate, Subscription, SubscriptionItem } from './records.ts'
import { day, getById, newId, type State } from './state.ts'
import { changeSubscription } from './subscription-status.ts'

type Params = Pick<
  Stripe.SubscriptionUpdateParams,
  'items' | 'proration_behavior' | 'payment_behavior' | 'cancel_at' | 'cancel_at_period_end'
>

/** Updates all or nothing. */
export function updateSubscription(state: State, subscription: Subscription, params: Params) {
  const { payment_behavior, cancel_at, cancel_at_period_end } = params
  if (subscription.status === 'canceled')
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.')
  if (payment_behavior === 'pending_if_incomplete' && cancel_at !== undefined)
    throw invalidRequest(
      'When `payment_behavior` is set to `pending_if_incomplete`, you cannot pass `cancel_at`.',
      'cancel_at',
    )
  const planned = planUpdate(state, subscription, params, '')
  const changes = changesOf(state, subscription, params, planned)
  const lines = [...subscription.pending, ...planned.lines]
  const failure = planned.isInvoicedNow ? findPaymentFailure(state, subscription, lines) : undefined
  if (failure && payment_behavior === 'error_if_incomplete') throw failure
  if (params.items) dropPendingUpdate(state, subscription)
  if (failure && payment_behavior === 'pending_if_incomplete')
    return holdUpdate(state, subscription, lines, changes, cancel_at_period_end ?? null)
  changeSubscription(state, subscription, { ...changes, pending: planned.isInvoicedNow ? [] : lines })
  if (planned.isInvoicedNow) collect(state, draftInvoice(state, subscription, lines, 'subscription_update'))
}

/** Cost of an update; `path` is the parameter that contains its items. */
export function planUpdate(
  state: State,
  subscription: Subscription,
  { items = [], proration_behavior, cancel_at, cancel_at_period_end }: Params,
  path: string,
): PlannedChange {
  const paramOf = (name: string) => (path === '' ? name : `${path}[${name}]`)
  if (cancel_at !== undefined && cancel_at_period_end !== undefined)
    throw invalidRequest(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      paramOf('cancel_at'),
    )
  if (typeof cancel_at === 'number' && cancel_at <= state.now())
    throw invalidRequest(
      'Invalid timestamp: must be an integer Unix timestamp in the future.',
      paramOf('cancel_at'),
    )
  const changed = changeItems(state, subscription, items, paramOf('items'))
  return planChange(state, subscription, changed, proration_behavior)
}

/** An item without an id is added to the existing ones. */
function changeItems(
  state: State,
  { items, currency }: Subscription,
  changes: Stripe.SubscriptionUpdateParams.Item[],
  path: string,
): SubscriptionItem[] {
  const changed = items.map((item) => ({ ...item }))
  for (const [index, { id, price }] of changes.entries()) {
    const paramOf = (name: string) => `${path}[${index}][${name}]`
    if (price !== undefined) checkPrice(state, price, currency, paramOf('price'))
    const existing = changed.find((item) => item.id === id)
    if (id !== undefined && !existing) throw noSuch(400, 'subscription_item', id, paramOf('id'))
    if (existing) existing.price = price ?? existing.price
    else if (price === undefined)
      throw invalidRequest('You must pass a price for a new item.', paramOf('price'), 'parameter_missing')
    else if (changed.some((item) => item.price === price))
      throw invalidRequest(
        `Cannot add multiple subscription items with the same plan: ${price}`,
        paramOf('price'),
      )
    else changed.push({ id: newId('si', 14), created: state.now(), price, quantity: 1 })
  }
  const intervals = new Set(changed.map((item) => JSON.stringify(recurringOf(state, [item]))))
  if (intervals.size > 1)
    throw invalidRequest('All prices of this subscription must have the same interval.', path)
  return changed
}

function checkPrice(state: State, id: string, currency: string, param: string) {
  const price = getActivePrice(state, id, param)
  if (amountIn(price, currency) === undefined)
    throw invalidRequest(
      `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${currency}\`.`,
      param,
    )
}

function changesOf(state: State, subscription: Subscription, params: Params, planned: PlannedChange) {
  const { items, period } = planned
  const end = period?.end ?? subscription.current_period_end
  return {
    items,
    ...(period && {
      current_period_start: period.start,
      current_period_end: period.end,
      billing_cycle_anchor: period.start,
    }),
    ...cancellationOf(state, subscription, params, end),
  }
}

/** A time that was set with `cancel_at` is unset by an empty `cancel_at` only. */
export function cancellationOf(
  state: State,
  subscription: Subscription,
  { cancel_at, cancel_at_period_end }: Pick<Params, 'cancel_at' | 'cancel_at_period_end'>,
  periodEnd: number,
): Partial<Subscription> {
  const cancelAt = (at: number | null, isPeriodEnd: boolean): Partial<Subscription> => ({
    cancel_at: at,
    cancel_at_period_end: isPeriodEnd,
    canceled_at: at === null ? null : state.now(),
    cancellation_details: { reason: at === null ? null : 'cancellation_requested' },
  })
  if (cancel_at !== undefined) return cancelAt(typeof cancel_at === 'number' ? cancel_at : null, false)
  if (cancel_at_period_end === true) return cancelAt(periodEnd, true)
  if (!subscription.cancel_at_period_end) return {}
  return cancel_at_period_end === false ? cancelAt(null, false) : { cancel_at: periodEnd }
}

/** The error that a payment of these lines would fail with. */
function findPaymentFailure(
  state: State,
  subscription: Subscription,
  lines: InvoiceLine[],
): ApiError | undefined {
  const { card } = getById(state.customers, subscription.customer)
  const period = { start: state.now(), end: state.now() }
  const { amount_due } = computeInvoice(state, subscription, lines, 'subscription_update', period)
  if (amount_due === 0 || card?.behavior === 'ok') return undefined
  if (card) return cardError(card.behavior)
  return new ApiError(400, {
    code: 'resource_missing',
    message: 'This customer has no attached payment source.',
  })
}

/** Nothing changes until the invoice is paid, within 23 hours and the current period. */
function holdUpdate(
  state: State,
  subscription: Subscription,
  lines: InvoiceLine[],
  changes: PendingUpdate['changes'],
  cancel_at_period_end: boolean | null,
) {
  subscription.pending = []
  const invoice = draftInvoice(state, subscription, lines, 'subscription_update')
  invoice.auto_advance = false
  const expires_at = Math.min(state.now() + day - 3600, subscription.current_period_end)
  changeSubscription(state, subscription, {
    pending_update: { changes, cancel_at_period_end, invoice: invoice.id, expires_at },
  })
  collect(state, invoice)
}

/** A pending update is dropped when another one replaces it or when it expires. */
export function dropPendingUpdate(state: State, { pending_update }: Subscription) {
  const invoice = state.invoices.find(({ id }) => id === pending_update?.invoice)
  if (invoice?.status === 'open') voidInvoice(state, invoice)
}
