import { randomUUID } from 'node:crypto'
import { emit } from './events.ts'
import { applyBalance, totalsOf } from './proration.ts'
import type { CardBehavior, Invoice, InvoiceLine, Period, Subscription } from './records.ts'
import { type ApiObject, list, present } from './schema.ts'
import { day, getById, newId, type State } from './state.ts'
import { onInvoicePaid, onInvoiceVoided, onPaymentFailed } from './subscription-status.ts'

export function presentInvoice(state: State, invoice: Invoice): ApiObject {
  const { id, lines, status, subscription } = invoice
  const page = `${state.url}/i/${id}${state.settings.newAddresses ? `?s=${randomUUID()}` : ''}`
  const isSettled = status === 'paid' || status === 'void'
  return present('Invoice', {
    ...invoice,
    amount_remaining: isSettled ? 0 : invoice.amount_due - invoice.amount_paid,
    attempted: invoice.attempt_count > 0 || status === 'paid',
    collection_method: 'charge_automatically',
    hosted_invoice_url: invoice.status_transitions.finalized_at === null ? null : page,
    issuer: { type: 'self' },
    lines: list(
      `/v1/invoices/${id}/lines`,
      lines.slice(0, 10).map((line) => describeLine(state, invoice, line)),
      lines.length > 10,
    ),
    parent: { type: 'subscription_details', subscription_details: { subscription } },
    total_taxes: describeTaxes(invoice.taxPercent, invoice.subtotal),
  })
}

/** The values of a line as `present` takes them. */
export function describeLine({ prices }: State, invoice: Invoice, line: InvoiceLine) {
  const { currency, id, subscription, taxPercent } = invoice
  const { amount, price, proration, subscription_item } = line
  return {
    ...line,
    currency,
    discountable: !proration,
    invoice: id,
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { proration, subscription, subscription_item },
    },
    pricing: { type: 'price_details', price_details: { price, product: getById(prices, price).product } },
    subscription,
    subtotal: amount,
    taxes: describeTaxes(taxPercent, amount),
  }
}

const describeTaxes = (percent: number, taxable_amount: number) =>
  percent === 0
    ? []
    : [
        {
          amount: Math.round((taxable_amount * percent) / 100),
          tax_behavior: 'exclusive',
          tax_rate_details: { tax_rate: 'txr_standard' },
          taxability_reason: 'standard_rated',
          taxable_amount,
          type: 'tax_rate_details',
        },
      ]

/** Computes an invoice without storing it, as for a preview. */
export function computeInvoice(
  state: State,
  subscription: Subscription,
  lines: InvoiceLine[],
  billing_reason: Invoice['billing_reason'],
  period: Period,
): Invoice {
  const customer = getById(state.customers, subscription.customer)
  const totals = totalsOf(customer, lines, subscription.automatic_tax.enabled)
  return {
    id: newId(billing_reason === 'upcoming' ? 'upcoming_in' : 'in'),
    number: null,
    customer: customer.id,
    subscription: subscription.id,
    created: state.now(),
    currency: subscription.currency,
    status: 'draft',
    billing_reason,
    automatic_tax: subscription.automatic_tax,
    period_start: period.start,
    period_end: period.end,
    lines,
    ...totals,
    amount_due: applyBalance(totals.total, customer.balance).amount_due,
    amount_paid: 0,
    starting_balance: customer.balance,
    ending_balance: null,
    attempt_count: 0,
    auto_advance: true,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    firstFailedAt: null,
    payment_intent: null,
    status_transitions: { finalized_at: null, paid_at: null, voided_at: null },
  }
}

export function draftInvoice(
  state: State,
  subscription: Subscription,
  lines: InvoiceLine[],
  reason: Invoice['billing_reason'],
  period = { start: subscription.current_period_start, end: subscription.current_period_end },
): Invoice {
  const invoice = computeInvoice(state, subscription, lines, reason, period)
  state.invoices.push(invoice)
  subscription.latest_invoice = invoice.id
  emitInvoice(state, invoice, 'created')
  return invoice
}

/** Finalizes a draft and attempts its payment. */
export function collect(state: State, invoice: Invoice, behavior?: CardBehavior) {
  finalize(state, invoice)
  attemptPayment(state, invoice, behavior)
}

/** Applies the customer's balance; an invoice over nothing is paid at once. */
function finalize(state: State, invoice: Invoice) {
  const customer = getById(state.customers, invoice.customer)
  const count = state.invoices.filter((one) => one.customer === customer.id && one.number !== null).length
  const applied = applyBalance(invoice.total, customer.balance)
  Object.assign(invoice, {
    ...applied,
    starting_balance: customer.balance,
    status: 'open',
    number: `${customer.id.slice(-8).toUpperCase()}-${String(count + 1).padStart(4, '0')}`,
    automatically_finalizes_at: null,
  })
  invoice.status_transitions.finalized_at = state.now()
  customer.balance = applied.ending_balance
  emitInvoice(state, invoice, 'finalized')
  if (invoice.amount_due === 0) markPaid(state, invoice)
}

/** Charges the card on file, which behaves as it always does unless `behavior` is given. */
export function attemptPayment(
  state: State,
  invoice: Invoice,
  behavior = getById(state.customers, invoice.customer).card?.behavior,
) {
  if (invoice.status !== 'open') return
  invoice.payment_intent ??= newId('pi')
  invoice.attempt_count++
  if (behavior === 'ok') {
    invoice.amount_paid = invoice.amount_due
    markPaid(state, invoice)
    return
  }
  invoice.firstFailedAt ??= state.now()
  const retries = state.settings.retryDays.map((days) => (invoice.firstFailedAt ?? 0) + days * day)
  const nextRetry = retries.find((at) => at > state.now()) ?? null
  invoice.next_payment_attempt = invoice.auto_advance ? nextRetry : null
  if (behavior === 'needs_action') emitInvoice(state, invoice, 'payment_action_required')
  emitInvoice(state, invoice, 'payment_failed')
  onPaymentFailed(state, invoice)
}

function markPaid(state: State, invoice: Invoice) {
  invoice.status = 'paid'
  invoice.next_payment_attempt = null
  invoice.status_transitions.paid_at = state.now()
  emitInvoice(state, invoice, 'paid')
  emitInvoice(state, invoice, 'payment_succeeded')
  onInvoicePaid(state, invoice)
}

/** Voids an invoice and returns the credit that it used. */
export function voidInvoice(state: State, invoice: Invoice) {
  const { starting_balance, ending_balance } = invoice
  getById(state.customers, invoice.customer).balance +=
    starting_balance - (ending_balance ?? starting_balance)
  invoice.status = 'void'
  invoice.next_payment_attempt = null
  invoice.status_transitions.voided_at = state.now()
  emitInvoice(state, invoice, 'voided')
  onInvoiceVoided(state, invoice)
}

const emitInvoice = (state: State, invoice: Invoice, event: string) =>
  emit(state, `invoice.${event}`, presentInvoice(state, invoice))
