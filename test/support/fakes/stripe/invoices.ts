import { declines } from './answer.ts'
import { emit } from './events.ts'
import { day, settle, totalsOf } from './proration.ts'
import type {
  Card,
  CardKind,
  Charge,
  Customer,
  Invoice,
  Line,
  PaymentIntent,
  Subscription,
} from './records.ts'
import { showCharge, showIntent, showInvoice, showInvoicePayment } from './show-invoice.ts'
import { prefixOf } from './show.ts'
import { paymentFailed, paymentMade, updateDropped } from './standing.ts'
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

export function customerOf(state: State, { customer }: { customer: string }): Customer {
  const found = state.customers.find(({ id }) => id === customer)
  if (!found) throw new Error(`There is no customer ${customer}.`)
  return found
}

export type Reason = 'subscription_create' | 'subscription_cycle' | 'subscription_update'

/** An invoice that nobody has been told of; also what a preview shows. */
export function writeInvoice(
  state: State,
  subscription: Pick<Subscription, 'id' | 'customer' | 'currency' | 'automatic_tax' | 'metadata'>,
  lines: Line[],
  billing_reason: string,
  period: { start: number; end: number },
): Invoice {
  const customer = customerOf(state, subscription)
  const totals = totalsOf(customer, lines, subscription.automatic_tax)
  return {
    id: newId('in'),
    number: null,
    customer: customer.id,
    subscription: subscription.id,
    subscription_metadata: { ...subscription.metadata },
    status: 'draft',
    billing_reason,
    currency: subscription.currency,
    created: state.now(),
    period_start: period.start,
    period_end: period.end,
    lines,
    ...totals,
    amount_due: settle(totals.total, customer.balance).amount_due,
    amount_paid: 0,
    starting_balance: customer.balance,
    ending_balance: null,
    attempt_count: 0,
    auto_advance: true,
    automatic_tax: subscription.automatic_tax,
    finalizes_at: null,
    next_payment_attempt: null,
    firstFailure: null,
    payment_intent: null,
    paid_out_of_band: false,
    finalized_at: null,
    paid_at: null,
    voided_at: null,
    metadata: {},
  }
}

/** An invoice of a subscription, as a draft. */
export function draftInvoice(
  state: State,
  subscription: Subscription,
  lines: Line[],
  reason: Reason,
  period = { start: subscription.current_period_start, end: subscription.current_period_end },
): Invoice {
  const invoice = writeInvoice(state, subscription, lines, reason, period)
  state.invoices.push(invoice)
  subscription.latest_invoice = invoice.id
  emit(state, 'invoice.created', showInvoice(state, invoice))
  return invoice
}

/** From now on it is what it is; what is nothing is paid. */
export function finalize(state: State, invoice: Invoice) {
  const customer = customerOf(state, invoice)
  const count = state.invoices.filter((one) => one.customer === customer.id && one.number !== null).length
  const settled = settle(invoice.total, customer.balance)
  const drawn = { ...settled, starting_balance: customer.balance, finalized_at: state.now() }
  Object.assign(invoice, drawn, {
    status: 'open',
    number: `${prefixOf(customer)}-${String(count + 1).padStart(4, '0')}`,
    finalizes_at: null,
  })
  customer.balance = settled.ending_balance
  emit(state, 'invoice.finalized', showInvoice(state, invoice))
  if (invoice.amount_due === 0) markPaid(state, invoice)
}

/** Tries to have it paid; `as` says how the card behaves this once. */
export function attempt(
  state: State,
  invoice: Invoice,
  { card = customerOf(state, invoice).card, as }: { card?: Card | undefined; as?: CardKind } = {},
): Paid {
  if (invoice.status !== 'open') return 'ok'
  const paid = charge(state, invoice, card, as ?? card?.kind)
  invoice.attempt_count++
  if (paid === 'ok') {
    invoice.amount_paid = invoice.amount_due
    markPaid(state, invoice)
    tellInvoicePayment(state, invoice)
    return paid
  }
  invoice.firstFailure ??= state.now()
  const { retryDays } = state.settings
  const next = retryDays
    .map((days) => (invoice.firstFailure ?? 0) + days * day)
    .find((at) => at > state.now())
  invoice.next_payment_attempt = invoice.auto_advance ? (next ?? null) : null
  if (paid === 'needs_action') emit(state, 'invoice.payment_action_required', showInvoice(state, invoice))
  emit(state, 'invoice.payment_failed', showInvoice(state, invoice))
  paymentFailed(state, invoice)
  return paid
}

export function markPaid(state: State, invoice: Invoice) {
  Object.assign(invoice, { status: 'paid', paid_at: state.now(), next_payment_attempt: null })
  emit(state, 'invoice.paid', showInvoice(state, invoice))
  emit(state, 'invoice.payment_succeeded', showInvoice(state, invoice))
  paymentMade(state, invoice)
}

/** It is as if it had never been; the credit that it took comes back. */
export function voidInvoice(state: State, invoice: Invoice) {
  const customer = customerOf(state, invoice)
  customer.balance += invoice.starting_balance - (invoice.ending_balance ?? invoice.starting_balance)
  Object.assign(invoice, { status: 'void', voided_at: state.now(), next_payment_attempt: null })
  const intent = state.paymentIntents.find(({ id }) => id === invoice.payment_intent)
  if (intent) intent.status = 'canceled'
  emit(state, 'invoice.voided', showInvoice(state, invoice))
  updateDropped(state, invoice)
}
