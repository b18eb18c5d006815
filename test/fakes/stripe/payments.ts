import { declines } from './answer.ts'
import { emit } from './events.ts'
import type { Card, CardKind, Charge, Invoice, PaymentIntent } from './records.ts'
import { showCharge, showIntent, showInvoicePayment } from './show-invoice.ts'
import { newId, type State } from './state.ts'

export type Paid = CardKind | 'no_card'

/** Charges what is due of an invoice to a card; an invoice has one payment intent, however often it is tried. */
export function charge(state: State, invoice: Invoice, card: Card | undefined, as = card?.kind): Paid {
  const intent = intentOf(state, invoice)
  if (!card || !as) return 'no_card'
  intent.payment_method = card.id
  if (as === 'needs_action') {
    intent.status = 'requires_action'
    emit(state, 'payment_intent.requires_action', showIntent(intent))
    return as
  }
  const made: Charge = {
    id: newId('ch'),
    customer: invoice.customer,
    payment_intent: intent.id,
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    created: state.now(),
    card: { ...card },
    failure: as === 'ok' ? null : declines[as],
  }
  state.charges.push(made)
  intent.latest_charge = made.id
  intent.error = made.failure
  intent.status = as === 'ok' ? 'succeeded' : 'requires_payment_method'
  emit(state, as === 'ok' ? 'charge.succeeded' : 'charge.failed', showCharge(state, made))
  emit(state, as === 'ok' ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', showIntent(intent))
  return as
}

function intentOf(state: State, invoice: Invoice): PaymentIntent {
  const there = state.paymentIntents.find(({ id }) => id === invoice.payment_intent)
  if (there) return there
  const made: PaymentIntent = {
    id: newId('pi'),
    customer: invoice.customer,
    invoice: invoice.id,
    amount: invoice.amount_due,
    currency: invoice.currency,
    status: 'requires_payment_method',
    created: state.now(),
    latest_charge: null,
    payment_method: null,
    error: null,
  }
  state.paymentIntents.push(made)
  invoice.payment_intent = made.id
  emit(state, 'payment_intent.created', showIntent(made))
  return made
}

/** Once the invoice itself says that it is paid. */
export function tellInvoicePayment(state: State, invoice: Invoice) {
  const intent = state.paymentIntents.find(({ id }) => id === invoice.payment_intent)
  if (intent) emit(state, 'invoice_payment.paid', showInvoicePayment(state, intent))
}
