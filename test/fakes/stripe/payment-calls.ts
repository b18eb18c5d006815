import { z } from 'zod'
import { type Call, missing, missingParam, refuse } from './answer.ts'
import { merge } from './customer-calls.ts'
import { emit } from './events.ts'
import { pageOfList } from './lists.ts'
import { expand, integer, metadata, paging, text } from './params.ts'
import type { Charge, Refund } from './records.ts'
import { type Route, route } from './routes.ts'
import { showCharge, showIntent, showInvoicePayment, showRefund } from './show-invoice.ts'
import { newId, type State } from './state.ts'
import { money } from './totals.ts'

const one = z.strictObject({ expand })
const refundParams = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: integer.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
  expand,
})

export const paymentRoutes: Route[] = [
  route(['GET', '/v1/payment_intents/:id', 'payment_intent'], one, ({ state, params }) => {
    const intent = state.paymentIntents.find(({ id }) => id === params['id'])
    if (!intent) throw missing('payment_intent', params['id'] ?? '', 'intent')
    return showIntent(intent)
  }),
  route(['GET', '/v1/charges/:id', 'charge'], one, ({ state, params }) => {
    const charge = state.charges.find(({ id }) => id === params['id'])
    if (!charge) throw missing('charge', params['id'] ?? '')
    return showCharge(state, charge)
  }),
  route(
    ['GET', '/v1/charges', 'list charge'],
    z.strictObject({ ...paging, customer: text.optional(), payment_intent: text.optional() }),
    (call, given) => {
      const { customer, payment_intent } = given
      const fitting = call.state.charges.filter(
        (charge) =>
          (customer === undefined || charge.customer === customer) &&
          (payment_intent === undefined || charge.payment_intent === payment_intent),
      )
      return pageOfList(call, fitting, given, (charge) => showCharge(call.state, charge))
    },
  ),
  route(
    ['GET', '/v1/invoice_payments', 'list invoice_payment'],
    z.strictObject({
      ...paging,
      invoice: text.optional(),
      status: z.enum(['canceled', 'open', 'paid']).optional(),
      payment: z.strictObject({ type: z.enum(['payment_intent']), payment_intent: text }).optional(),
    }),
    (call, given) => {
      const { invoice, status, payment } = given
      const fitting = call.state.paymentIntents.filter(
        (intent) =>
          (invoice === undefined || intent.invoice === invoice) &&
          (payment === undefined || intent.id === payment.payment_intent) &&
          (status === undefined || showInvoicePayment(call.state, intent).status === status),
      )
      return pageOfList(call, fitting, given, (intent) => showInvoicePayment(call.state, intent))
    },
  ),
  route(['POST', '/v1/refunds', 'refund'], refundParams, createRefund),
  route(['GET', '/v1/refunds/:id', 'refund'], one, ({ state, params }) => {
    const refund = state.refunds.find(({ id }) => id === params['id'])
    if (!refund) throw missing('refund', params['id'] ?? '')
    return showRefund(refund)
  }),
  route(
    ['GET', '/v1/refunds', 'list refund'],
    z.strictObject({ ...paging, charge: text.optional(), payment_intent: text.optional() }),
    (call, given) => {
      const { charge, payment_intent } = given
      const fitting = call.state.refunds.filter(
        (refund) =>
          (charge === undefined || refund.charge === charge) &&
          (payment_intent === undefined || refund.payment_intent === payment_intent),
      )
      return pageOfList(call, fitting, given, showRefund)
    },
  ),
]

/** Never more than was paid, however often. */
function createRefund({ state }: Call, given: z.output<typeof refundParams>): object {
  const charge = chargeOf(state, given)
  const left = charge.amount - charge.amount_refunded
  if (left === 0)
    throw refuse(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
  const amount = given.amount ?? left
  if (amount < 1) throw refuse('Invalid positive integer', 'amount', 'parameter_invalid_integer')
  if (amount > left)
    throw refuse(
      `Refund amount (${money(amount)}) is greater than unrefunded amount on charge (${money(left)})`,
      'amount',
    )
  const refund: Refund = {
    id: newId('re'),
    amount,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    currency: charge.currency,
    created: state.now(),
    reason: given.reason ?? null,
    metadata: merge({}, given.metadata),
  }
  charge.amount_refunded += amount
  state.refunds.push(refund)
  emit(state, 'refund.created', showRefund(refund))
  emit(state, 'charge.refunded', showCharge(state, charge))
  return showRefund(refund)
}

function chargeOf(state: State, given: z.output<typeof refundParams>): Charge {
  if ((given.charge === undefined) === (given.payment_intent === undefined))
    throw refuse(
      'One of the following params should be provided for this request: payment_intent or charge.',
      undefined,
      'parameter_missing',
    )
  const intent = state.paymentIntents.find(({ id }) => id === given.payment_intent)
  if (given.payment_intent !== undefined && !intent)
    throw missingParam('payment_intent', given.payment_intent, 'payment_intent')
  const id = intent ? intent.latest_charge : given.charge
  const charge = state.charges.find((one) => one.id === id && !one.failure)
  if (charge) return charge
  if (intent)
    throw refuse(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent',
      'payment_intent_unexpected_state',
    )
  throw missingParam('charge', given.charge ?? '', 'charge')
}
