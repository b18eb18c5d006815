export type Metadata = Record<string, string>
/** What every charge of it comes to. */
export type CardKind = 'ok' | 'declined' | 'needs_action'
export type Interval = 'day' | 'week' | 'month' | 'year'

export interface Card {
  id: string
  kind: CardKind
  brand: string
  last4: string
  created: number
}

export type Address = Record<'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state', string | null>

export interface Customer {
  id: string
  created: number
  email: string | null
  name: string | null
  phone: string | null
  description: string | null
  address: Address | null
  metadata: Metadata
  /** Below zero it is a credit for the next invoice. */
  balance: number
  card: Card | undefined
  taxId: string | undefined
  isDeleted: boolean
}

export interface Product {
  id: string
  name: string
  description: string | null
  active: boolean
  created: number
  metadata: Metadata
}

export interface Price {
  id: string
  product: string
  currency: string
  unit_amount: number
  /** What it costs in other currencies. */
  currency_options?: Record<string, number>
  /** Null where it is paid once. */
  recurring: { interval: Interval; interval_count: number } | null
  active: boolean
  /** Only those who bought it still know it. */
  isRemoved?: boolean
  lookup_key: string | null
  nickname: string | null
  metadata: Metadata
  created: number
}

export interface Item {
  id: string
  price: string
  quantity: number
  created: number
  metadata: Metadata
}

export type SubscriptionStatus =
  'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled'

/** A line of an invoice, or one that waits for the next. */
export interface Line {
  id: string
  amount: number
  description: string
  price: string
  quantity: number
  period: { start: number; end: number }
  proration: boolean
  item: string
}

export interface Subscription {
  id: string
  customer: string
  status: SubscriptionStatus
  currency: string
  items: Item[]
  metadata: Metadata
  created: number
  start_date: number
  billing_cycle_anchor: number
  current_period_start: number
  current_period_end: number
  trial_start: number | null
  trial_end: number | null
  /** Whether three days before its end were told of. */
  toldOfTrialEnd: boolean
  missingCard: 'create_invoice' | 'cancel' | 'pause'
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  ended_at: number | null
  cancellation_details: { comment: string | null; feedback: string | null; reason: string | null }
  description: string | null
  automatic_tax: boolean
  latest_invoice: string | null
  /** Prorations that wait for the next invoice. */
  pending: Line[]
  /** What is changed once it is paid for. */
  pending_update: PendingUpdate | null
}

export interface PendingUpdate {
  items: Item[]
  /** Undefined where it goes on. */
  period: { start: number; end: number } | undefined
  cancel_at_period_end: boolean | null
  expires_at: number
  invoice: string
}

export interface Invoice {
  id: string
  number: string | null
  customer: string
  subscription: string | null
  subscription_metadata: Metadata
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  billing_reason: string
  currency: string
  created: number
  period_start: number
  period_end: number
  lines: Line[]
  subtotal: number
  tax: number
  taxPercent: number
  total: number
  amount_due: number
  amount_paid: number
  starting_balance: number
  ending_balance: number | null
  attempt_count: number
  auto_advance: boolean
  automatic_tax: boolean
  /** When a draft becomes final by itself. */
  finalizes_at: number | null
  next_payment_attempt: number | null
  firstFailure: number | null
  payment_intent: string | null
  paid_out_of_band: boolean
  finalized_at: number | null
  paid_at: number | null
  voided_at: number | null
  metadata: Metadata
}

export interface PaymentIntent {
  id: string
  customer: string
  invoice: string
  amount: number
  currency: string
  status: 'succeeded' | 'requires_payment_method' | 'requires_action' | 'canceled'
  created: number
  latest_charge: string | null
  payment_method: string | null
  error: { code: string; decline_code?: string; message: string } | null
}

export interface Charge {
  id: string
  customer: string
  payment_intent: string
  amount: number
  amount_refunded: number
  currency: string
  created: number
  card: Card
  failure: { code: string; decline_code?: string; message: string } | null
}

export interface Refund {
  id: string
  amount: number
  charge: string
  payment_intent: string
  currency: string
  created: number
  reason: string | null
  metadata: Metadata
}
