import { randomUUID } from 'node:crypto'
import type { Charge, Invoice, Line, PaymentIntent, Refund } from './records.ts'
import { list, nulls, showCard, showTax } from './show.ts'
import type { State } from './state.ts'

export function showLine({ prices }: State, invoice: Invoice, line: Line) {
  const price = prices.find(({ id }) => id === line.price)
  const tax = Math.round((line.amount * invoice.taxPercent) / 100)
  return {
    id: line.id,
    object: 'line_item',
    amount: line.amount,
    currency: invoice.currency,
    description: line.description,
    discount_amounts: [],
    discountable: !line.proration,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata: invoice.subscription_metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: line.proration ? line.id.replace('il_', 'ii_') : null,
        proration: line.proration,
        proration_details: { credited_items: null },
        subscription: invoice.subscription,
        subscription_item: line.item,
      },
      type: 'subscription_item_details',
    },
    period: line.period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: line.price, product: price?.product ?? '' },
      type: 'price_details',
      unit_amount_decimal: String(price?.unit_amount ?? 0),
    },
    quantity: line.quantity,
    quantity_decimal: String(line.quantity),
    subscription: invoice.subscription,
    subtotal: line.amount,
    taxes: invoice.taxPercent === 0 ? [] : [taxOf(tax, line.amount)],
  }
}

const taxOf = (amount: number, taxable: number) => ({
  amount,
  tax_behavior: 'exclusive',
  tax_rate_details: { tax_rate: 'txr_standard' },
  taxability_reason: 'standard_rated',
  taxable_amount: taxable,
  type: 'tax_rate_details',
})

const invoiceNulls =
  'account_tax_ids application custom_fields customer_account customer_phone customer_shipping default_payment_method default_source description due_date footer from_invoice last_finalization_error latest_revision on_behalf_of receipt_number rendering shipping_cost shipping_details statement_descriptor test_clock'

export function showInvoice(state: State, invoice: Invoice) {
  const customer = state.customers.find(({ id }) => id === invoice.customer)
  const page = `${state.url}/i/${invoice.id}${state.settings.newAddresses ? `?s=${randomUUID()}` : ''}`
  const { lines, tax, taxPercent, subscription, subscription_metadata, firstFailure: _, ...rest } = invoice
  const { payment_intent: __, paid_out_of_band: ___, finalizes_at, ...kept } = rest
  const { finalized_at, paid_at, voided_at, automatic_tax, ...facts } = kept
  const isPaid = facts.status === 'paid'
  const shown = lines.slice(0, 10).map((line) => showLine(state, invoice, line))
  const details = { metadata: subscription_metadata, subscription }
  return {
    object: 'invoice',
    ...facts,
    ...nulls(invoiceNulls),
    account_country: 'US',
    account_name: 'Slipway test',
    amount_overpaid: 0,
    amount_remaining: isPaid || facts.status === 'void' ? 0 : facts.amount_due - facts.amount_paid,
    amount_shipping: 0,
    attempted: facts.attempt_count > 0 || isPaid,
    automatic_tax: {
      ...showTax(automatic_tax),
      provider: automatic_tax ? 'stripe' : null,
      status: automatic_tax ? 'complete' : null,
    },
    automatically_finalizes_at: finalizes_at,
    collection_method: 'charge_automatically',
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: [],
    effective_at: finalized_at,
    hosted_invoice_url: finalized_at === null ? null : page,
    invoice_pdf: finalized_at === null ? null : `${page}/pdf`,
    issuer: { type: 'self' },
    // The first few alone.
    lines: list(`/v1/invoices/${invoice.id}/lines`, shown, lines.length > 10),
    livemode: false,
    parent:
      subscription === null
        ? null
        : { quote_details: null, subscription_details: details, type: 'subscription_details' },
    payment_settings: nulls('default_mandate payment_method_options payment_method_types'),
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    status_transitions: { finalized_at, marked_uncollectible_at: null, paid_at, voided_at },
    subtotal_excluding_tax: facts.subtotal,
    total_discount_amounts: [],
    total_excluding_tax: facts.total - tax,
    total_pretax_credit_amounts: [],
    total_taxes: taxPercent === 0 ? [] : [taxOf(tax, facts.subtotal)],
    webhooks_delivered_at: finalized_at,
  }
}

/** How an invoice was paid, or is to be. */
export function showInvoicePayment(state: State, intent: PaymentIntent) {
  const invoice = state.invoices.find(({ id }) => id === intent.invoice)
  const isPaid = intent.status === 'succeeded'
  return {
    id: intent.id.replace('pi_', 'inpay_'),
    object: 'invoice_payment',
    amount_paid: isPaid ? intent.amount : null,
    amount_requested: intent.amount,
    created: intent.created,
    currency: intent.currency,
    invoice: intent.invoice,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: 'payment_intent' },
    status: isPaid ? 'paid' : intent.status === 'canceled' ? 'canceled' : 'open',
    status_transitions: {
      canceled_at: invoice?.voided_at ?? null,
      paid_at: isPaid ? (invoice?.paid_at ?? null) : null,
    },
  }
}

const intentNulls =
  'application application_fee_amount automatic_payment_methods canceled_at cancellation_reason customer_account receipt_email'

export function showIntent(made: PaymentIntent) {
  const { invoice: _, error, ...intent } = made
  return {
    object: 'payment_intent',
    ...intent,
    ...nulls(intentNulls),
    amount_capturable: 0,
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    capture_method: 'automatic',
    client_secret: `${intent.id}_secret_x`,
    confirmation_method: 'automatic',
    description: 'Subscription',
    last_payment_error: error && { type: 'card_error', ...error },
    livemode: false,
    metadata: {},
    next_action: intent.status === 'requires_action' ? { type: 'use_stripe_sdk' } : null,
    payment_method_types: ['card'],
    setup_future_usage: 'off_session',
  }
}

export function showCharge(state: State, { card, failure, ...charge }: Charge) {
  const customer = state.customers.find(({ id }) => id === charge.customer)
  return {
    object: 'charge',
    ...charge,
    amount_captured: failure ? 0 : charge.amount,
    application: null,
    balance_transaction: failure ? null : charge.id.replace('ch_', 'txn_'),
    billing_details: customer && showCard(card, customer).billing_details,
    captured: !failure,
    description: 'Subscription',
    disputed: false,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    livemode: false,
    metadata: {},
    paid: !failure,
    payment_method: card.id,
    payment_method_details: { card: { brand: card.brand, last4: card.last4 }, type: 'card' },
    receipt_url: failure ? null : `${state.url}/receipts/${charge.id}`,
    refunded: charge.amount_refunded === charge.amount,
    status: failure ? 'failed' : 'succeeded',
  }
}

export const showRefund = (refund: Refund) => ({
  object: 'refund',
  ...refund,
  ...nulls('customer_account payment_method receipt_number source_transfer_reversal transfer_reversal'),
  balance_transaction: refund.id.replace('re_', 'txn_'),
  destination_details: { card: { type: 'refund' }, type: 'card' },
  status: 'succeeded',
})
