import { z } from 'zod'
import { lacking, missingParam, Refusal, refuse } from './answer.ts'
import { namedCustomer } from './customer-calls.ts'
import { writeInvoice } from './invoices.ts'
import { boolean, expand, integer, orNone, text } from './params.ts'
import { fullLines, periodEnd, priceOf, rhythmOf } from './proration.ts'
import type { Invoice, Item, Line, Period } from './records.ts'
import { sellablePrice } from './session-calls.ts'
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
      'You may only specify one: cancel_at, cancel_at_period_end.',
      'subscription_details[cancel_at]',
    )
  const plan = planOf(state, subscription, subscription_details, 'subscription_details[items]')
  const { status, pending, current_period_start, current_period_end } = subscription
  const period = { start: current_period_start, end: current_period_end }
  const write = (lines: Line[], at: Period) =>
    titled(writeInvoice(state, subscription, [...pending, ...plan.lines, ...lines], 'upcoming', at))
  if (plan.isInvoicedNow) return write([], plan.period ?? period)
  const endsAt = cancel_at === undefined ? subscription.cancel_at : cancel_at
  const ends = cancel_at_period_end ?? endsAt !== null
  if (status === 'canceled' || (ends && plan.lines.length === 0))
    throw new Refusal(404, { code: 'invoice_upcoming_none', message: 'No upcoming invoices.' })
  const end = periodEnd(subscription.billing_cycle_anchor, rhythmOf(state, plan.items), period.end)
  return write(fullLines(state, subscription, plan.items, { start: period.end, end }), period)
}

function previewNew(state: State, { customer, subscription_details, automatic_tax }: Given): Invoice {
  if (customer === undefined) throw lacking('customer')
  const { id } = namedCustomer(state, customer)
  const now = state.now()
  const items = (subscription_details?.items ?? []).map(({ price = '', quantity = 1 }, index): Item => {
    sellablePrice(state, price, `subscription_details[items][${index}][price]`)
    return { id: newId('si', 14), price, quantity, created: now, metadata: {} }
  })
  const [first] = items
  if (!first) throw lacking('subscription_details[items]')
  const period = { start: now, end: periodEnd(now, rhythmOf(state, items), now) }
  const { currency } = priceOf(state, first.price)
  const isTaxed = automatic_tax?.enabled ?? false
  const about = { id: '', customer: id, currency, automatic_tax: isTaxed, metadata: {} }
  const invoice = writeInvoice(state, about, fullLines(state, about, items, period), 'upcoming', period)
  return titled({ ...invoice, subscription: null })
}

const titled = (invoice: Invoice): Invoice => ({ ...invoice, id: newId('upcoming_in') })
