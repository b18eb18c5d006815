import { randomUUID } from 'node:crypto'
import type { Charge, Invoice, Line, PaymentIntent, Refund } from './records.ts'
import { list, showCard } from './show.ts'
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

export function showInvoice(state: State, invoice: Invoice) {
  const customer = state.customers.find(({ id }) => id === invoice.customer)
  const page = `${state.url}/i/${invoice.id}${state.settings.newAddresses ? `?s=${randomUUID()}` : ''}`
  const { subtotal, tax, total, amount_due, amount_paid } = invoice
  const isPaid = invoice.status === 'paid'
  const {
    lines,
    taxPercent: _,
    tax: __,
    subscription,
    subscription_metadata,
    finalizes_at,
    firstFailure: ___,
    payment_intent: ____,
    paid_out_of_band: _____,
    finalized_at,
    paid_at,
    voided_at,
    ...facts
  } = invoice
  return {
    object: 'invoice',
    ...facts,
    account_country: 'US',
    account_name: 'Slipway test',
    account_tax_ids: null,
    amount_overpaid: 0,
    amount_remaining: isPaid || invoice.status === 'void' ? 0 : amount_due - amount_paid,
    amount_shipping: 0,
    application: null,
    attempted: invoice.attempt_count > 0 || isPaid,
    automatic_tax: {
      disabled_reason: null,
      enabled: invoice.automatic_tax,
      liability: invoice.automatic_tax ? { type: 'self' } : null,
      provider: invoice.automatic_tax ? 'stripe' : null,
      status: invoice.automatic_tax ? 'complete' : null,
    },
    automatically_finalizes_at: finalizes_at,
    collection_method: 'charge_automatically',
    custom_fields: null,
    customer_account: null,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: finalized_at,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: finalized_at === null ? null : page,
    invoice_pdf: finalized_at === null ? null : `${page}/pdf`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    // The first few alone.
    lines: list(
      `/v1/invoices/${invoice.id}/lines`,
      lines.slice(0, 10).map((line) => showLine(state, invoice, line)),
      lines.length > 10,
    ),
    livemode: false,
    on_behalf_of: null,
    parent:
      subscription === null
        ? null
        : {
            quote_details: null,
            subscription_details: { metadata: subscription_metadata, subscription },
            type: 'subscription_details',
          },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    statement_descriptor: null,
    status_transitions: { finalized_at, marked_uncollectible_at: null, paid_at, voided_at },
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total_discount_amounts: [],
    total_excluding_tax: total - tax,
    total_pretax_credit_amounts: [],
    total_taxes: invoice.taxPercent === 0 ? [] : [taxOf(tax, subtotal)],
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

export function showIntent(made: PaymentIntent) {
  const { invoice: _, error, ...intent } = made
  return {
    object: 'payment_intent',
    ...intent,
    amount_capturable: 0,
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${intent.id}_secret_x`,
    confirmation_method: 'automatic',
    customer_account: null,
    description: 'Subscription',
    last_payment_error: error && { type: 'card_error', ...error },
    livemode: false,
    metadata: {},
    next_action: intent.status === 'requires_action' ? { type: 'use_stripe_sdk' } : null,
    payment_method_types: ['card'],
    receipt_email: null,
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
  balance_transaction: refund.id.replace('re_', 'txn_'),
  destination_details: { card: { type: 'refund' }, type: 'card' },
  payment_method: null,
  receipt_number: null,
  source_transfer_reversal: null,
  status: 'succeeded',
  transfer_reversal: null,
})
