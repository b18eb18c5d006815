import { z } from 'zod'
import { type Call, missingParam, named, refuse } from './answer.ts'
import { merge } from './customer-calls.ts'
import { emit } from './events.ts'
import { expand, integer, metadata, text } from './params.ts'
import { money } from './proration.ts'
import type { Charge, Refund } from './records.ts'
import { listRoute, one, type Route, route } from './routes.ts'
import { showCharge, showIntent, showInvoicePayment, showRefund } from './show-invoice.ts'
import { newId, type State } from './state.ts'

const refundParams = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: integer.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
  expand,
})
const payment = z.strictObject({ type: z.enum(['payment_intent']), payment_intent: text })

export const paymentRoutes: Route[] = [
  route('GET /v1/payment_intents/:id', 'payment_intent', one, (call) =>
    showIntent(named(call, call.state.paymentIntents, 'payment_intent', 'intent')),
  ),
  listRoute(
    '/v1/invoice_payments',
    'invoice_payment',
    {
      invoice: text.optional(),
      status: z.enum(['canceled', 'open', 'paid']).optional(),
      payment: payment.optional(),
    },
    ({ paymentIntents }) => paymentIntents,
    (intent, state) => showInvoicePayment(state, intent),
    (intent, name, value, state) => {
      if (name === 'payment') return payment.parse(value).payment_intent === intent.id
      return Reflect.get(showInvoicePayment(state, intent), name) === value
    },
  ),
  route('POST /v1/refunds', 'refund', refundParams, createRefund),
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
    throw refuse(`${money(amount)} is greater than unrefunded amount on charge (${money(left)})`, 'amount')
  const { id, payment_intent, currency, customer } = charge
  const refund: Refund = {
    id: newId('re'),
    amount,
    charge: id,
    payment_intent,
    currency,
    customer,
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
    throw refuse('Provide either payment_intent or charge.', undefined, 'parameter_missing')
  const intent = state.paymentIntents.find(({ id }) => id === given.payment_intent)
  if (given.payment_intent !== undefined && !intent)
    throw missingParam('payment_intent', given.payment_intent, 'payment_intent')
  const wanted = intent ? intent.latest_charge : given.charge
  const charge = state.charges.find(({ id, failure }) => id === wanted && !failure)
  if (charge) return charge
  if (!intent) throw missingParam('charge', given.charge ?? '', 'charge')
  const why = `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`
  throw refuse(why, 'payment_intent', 'payment_intent_unexpected_state')
}
