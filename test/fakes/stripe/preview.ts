import { z } from 'zod'
import { missingParam, Refusal, refuse } from './answer.ts'
import { namedCustomer } from './customer-calls.ts'
import { writeInvoice } from './invoices.ts'
import { boolean, expand, integer, orNone, text } from './params.ts'
import { periodEnd } from './periods.ts'
import { fullLines, rhythmOf } from './proration.ts'
import type { Invoice, Item, Subscription } from './records.ts'
import { sellablePrice } from './session-rules.ts'
import { newId, type State } from './state.ts'
import { changedItems, prorationBehavior } from './subscription-calls.ts'
import { planOf } from './subscription-update.ts'

export const previewParams = z.strictObject({
  customer: text.optional(),
  subscription: text.optional(),
  subscription_details: z
    .strictObject({
      items: changedItems.optional(),
      proration_behavior: prorationBehavior.optional(),
      proration_date: integer.optional(),
      trial_end: z.union([z.literal('now'), integer]).optional(),
      cancel_at_period_end: boolean.optional(),
      cancel_at: orNone(integer).optional(),
    })
    .optional(),
  automatic_tax: z.strictObject({ enabled: boolean }).optional(),
  expand,
})

type Given = z.output<typeof previewParams>

/** What the next invoice would be: of a subscription, changed or not, or of one that is not there yet. */
export function previewInvoice(state: State, given: Given): Invoice {
  const { subscription: id, subscription_details = {} } = given
  if (id === undefined) return previewNew(state, given)
  const subscription = state.subscriptions.find((one) => one.id === id)
  if (!subscription) throw missingParam('subscription', id, 'subscription')
  if (given.customer !== undefined && given.customer !== subscription.customer)
    throw refuse(`The subscription ${id} does not belong to the customer ${given.customer}.`, 'subscription')
  const { cancel_at, cancel_at_period_end } = subscription_details
  if (cancel_at !== undefined && cancel_at_period_end !== undefined)
    throw refuse(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      'subscription_details[cancel_at]',
    )
  const plan = planOf(state, subscription, subscription_details, 'subscription_details[items]')
  if (plan.isInvoicedNow) {
    const period = plan.period ?? periodOf(subscription)
    return named(
      writeInvoice(state, subscription, [...subscription.pending, ...plan.lines], 'upcoming', period),
    )
  }
  const endsAt = cancel_at === undefined ? subscription.cancel_at : cancel_at
  const ends = cancel_at_period_end ?? endsAt !== null
  if (subscription.status === 'canceled' || (ends && plan.lines.length === 0))
    throw new Refusal(404, {
      code: 'invoice_upcoming_none',
      message: `No upcoming invoices for customer: '${subscription.customer}'`,
    })
  const start = subscription.current_period_end
  const next = {
    start,
    end: periodEnd(subscription.billing_cycle_anchor, rhythmOf(state, plan.items), start),
  }
  const lines = [...subscription.pending, ...plan.lines, ...fullLines(state, subscription, plan.items, next)]
  return named(writeInvoice(state, subscription, lines, 'upcoming', periodOf(subscription)))
}

function previewNew(state: State, { customer, subscription_details, automatic_tax }: Given): Invoice {
  if (customer === undefined)
    throw refuse('You must provide one of `customer` or `subscription`.', 'customer', 'parameter_missing')
  const { id } = namedCustomer(state, customer)
  const now = state.now()
  const items = (subscription_details?.items ?? []).map(({ price = '', quantity = 1 }, index): Item => {
    sellablePrice(state, price, `subscription_details[items][${index}][price]`)
    return { id: newId('si', 14), price, quantity, created: now, metadata: {} }
  })
  const [first] = items
  if (!first)
    throw refuse(
      'Missing required param: subscription_details[items].',
      'subscription_details[items]',
      'parameter_missing',
    )
  const period = { start: now, end: periodEnd(now, rhythmOf(state, items), now) }
  const { currency } = sellablePrice(state, first.price, 'subscription_details[items][0][price]')
  const about = {
    id: '',
    customer: id,
    currency,
    automatic_tax: automatic_tax?.enabled ?? false,
    metadata: {},
  }
  const invoice = writeInvoice(state, about, fullLines(state, about, items, period), 'upcoming', period)
  return named({ ...invoice, subscription: null })
}

const periodOf = ({ current_period_start: start, current_period_end: end }: Subscription) => ({ start, end })

const named = (invoice: Invoice): Invoice => ({ ...invoice, id: newId('upcoming_in') })
