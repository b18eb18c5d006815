import type { Stripe } from 'stripe'
import type { defaultFeatures } from './portal.ts'

/** The outcome of every charge to a card. */
export type CardBehavior = 'ok' | 'declined' | 'needs_action'

export interface Card {
  id: string
  brand: string
  last4: string
  behavior: CardBehavior
}

export type Address = Pick<Stripe.Address, 'country' | 'line1' | 'postal_code'>

export interface Period {
  start: number
  end: number
}

/** A negative balance is a credit for the next invoice. */
export interface Customer extends Pick<Stripe.Customer, 'id' | 'created' | 'email' | 'metadata' | 'balance'> {
  name: string | null
  address: Address | null
  card: Card | undefined
  taxId: string | undefined
  isDeleted: boolean
}

export type Recurring = Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'>

export interface Price extends Pick<Stripe.Price, 'id' | 'created' | 'currency' | 'active'> {
  product: string
  productName: string
  unit_amount: number
  /** Amounts in other currencies. */
  currency_options?: Record<string, number>
  recurring: Recurring
  /** The API no longer knows a removed price, but subscriptions to it go on. */
  isRemoved?: boolean
}

export interface SubscriptionItem extends Pick<Stripe.SubscriptionItem, 'id' | 'created'> {
  price: string
  quantity: number
}

export interface InvoiceLine extends Pick<Stripe.InvoiceLineItem, 'id' | 'amount' | 'description'> {
  period: Period
  price: string
  quantity: number
  proration: boolean
  subscription_item: string
}

export interface Subscription
  extends
    Pick<Stripe.Subscription, 'id' | 'created' | 'currency' | 'metadata' | 'status' | 'billing_cycle_anchor'>,
    Pick<Stripe.Subscription, 'trial_start' | 'trial_end' | 'cancel_at' | 'cancel_at_period_end'>,
    Pick<Stripe.Subscription, 'canceled_at' | 'ended_at'> {
  customer: string
  items: SubscriptionItem[]
  automatic_tax: { enabled: boolean }
  current_period_start: number
  current_period_end: number
  cancellation_details: { reason: string | null }
  latest_invoice: string | null
  /** Prorations that the next invoice will include. */
  pending: InvoiceLine[]
  pending_update: PendingUpdate | null
}

/** An update that is applied once its invoice is paid. */
export interface PendingUpdate {
  invoice: string
  expires_at: number
  cancel_at_period_end: boolean | null
  changes: Partial<Subscription> & { items: SubscriptionItem[] }
}

export interface Invoice
  extends
    Pick<Stripe.Invoice, 'id' | 'number' | 'created' | 'currency' | 'status' | 'billing_reason'>,
    Pick<Stripe.Invoice, 'period_start' | 'period_end' | 'subtotal' | 'total' | 'amount_due' | 'amount_paid'>,
    Pick<Stripe.Invoice, 'starting_balance' | 'ending_balance' | 'attempt_count'>,
    Pick<Stripe.Invoice, 'automatically_finalizes_at' | 'next_payment_attempt'> {
  customer: string
  subscription: string
  automatic_tax: { enabled: boolean }
  auto_advance: boolean
  lines: InvoiceLine[]
  taxPercent: number
  tax: number
  firstFailedAt: number | null
  /** The id of its payment, if one was attempted. */
  payment_intent: string | null
  status_transitions: { finalized_at: number | null; paid_at: number | null; voided_at: number | null }
}

export interface CheckoutSession
  extends
    Pick<Stripe.Checkout.Session, 'id' | 'created' | 'expires_at' | 'status' | 'payment_status' | 'metadata'>,
    Pick<Stripe.Checkout.Session, 'client_reference_id' | 'cancel_url' | 'billing_address_collection'> {
  customer: string
  currency: string
  line_items: { price: string; quantity: number }[]
  subscription_data: { metadata: Stripe.Metadata; trial_end: number | null }
  automatic_tax: { enabled: boolean }
  tax_id_collection: { enabled: boolean; required: 'never' }
  customer_update: Stripe.Checkout.SessionCreateParams.CustomerUpdate
  success_url: string
  subscription: string | null
  invoice: string | null
}

export interface PortalConfiguration extends Pick<
  Stripe.BillingPortal.Configuration,
  'id' | 'created' | 'active' | 'is_default' | 'metadata'
> {
  features: ReturnType<typeof defaultFeatures>
}

export interface PortalSession extends Pick<Stripe.BillingPortal.Session, 'id' | 'created' | 'return_url'> {
  configuration: string
  customer: string
}
