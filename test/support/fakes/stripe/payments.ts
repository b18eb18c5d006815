import type { Stripe } from 'stripe'
import { invalidRequest, missingParam, noSuch } from './errors.ts'
import { emit } from './events.ts'
import type { Invoice, Refund } from './records.ts'
import { filterBy, listRoute, type Route, route } from './routes.ts'
import { present } from './schema.ts'
import { newId, type State } from './state.ts'

export const paymentRoutes: Route[] = [
  listRoute(
    'GET /v1/invoice_payments',
    ({ invoices }, { invoice, status }: Stripe.InvoicePaymentListParams) =>
      filterBy(invoices, { id: invoice }).filter(
        (one) => one.payment_intent !== null && paymentStatusOf(one) === (status ?? paymentStatusOf(one)),
      ),
    (_state, invoice) =>
      present('InvoicePayment', {
        id: invoice.payment_intent?.replace('pi_', 'inpay_'),
        amount_paid: invoice.amount_paid,
        amount_requested: invoice.amount_due,
        created: invoice.created,
        currency: invoice.currency,
        invoice: invoice.id,
        is_default: true,
        payment: { payment_intent: invoice.payment_intent, type: 'payment_intent' },
        status: paymentStatusOf(invoice),
      }),
  ),
  route('POST /v1/refunds', ({ state }, params: Stripe.RefundCreateParams) => createRefund(state, params)),
]

function paymentStatusOf({ status }: Invoice) {
  if (status === 'paid') return 'paid'
  return status === 'void' ? 'canceled' : 'open'
}

/** Refunds all of a payment, once. */
function createRefund(state: State, { payment_intent, reason }: Stripe.RefundCreateParams) {
  if (payment_intent === undefined) throw missingParam('payment_intent')
  const invoice = state.invoices.find((one) => one.payment_intent === payment_intent)
  if (!invoice) throw noSuch(400, 'payment_intent', payment_intent, 'payment_intent')
  if (invoice.status !== 'paid')
    throw invalidRequest(
      `This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`,
      'payment_intent',
      'payment_intent_unexpected_state',
    )
  if (state.refunds.some((refund) => refund.payment_intent === payment_intent))
    throw invalidRequest('The charge has already been refunded.', undefined, 'charge_already_refunded')
  const { amount_paid: amount, currency, customer } = invoice
  const id = newId('re')
  const refund: Refund = {
    id,
    created: state.now(),
    amount,
    currency,
    reason: reason ?? null,
    payment_intent,
  }
  state.refunds.push(refund)
  const presented = present('Refund', { ...refund, customer, status: 'succeeded' })
  emit(state, 'refund.created', presented)
  return presented
}
