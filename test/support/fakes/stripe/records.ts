/** The words of a text, so that many fields of one type stand on one line. */
export type Words<T extends string> = T extends `${infer First} ${infer Rest}` ? First | Words<Rest> : T
type Texts<T extends string> = Record<Words<T>, string>
type Numbers<T extends string> = Record<Words<T>, number>
type Flags<T extends string> = Record<Words<T>, boolean>
type TextsOrNull<T extends string> = Record<Words<T>, string | null>
type NumbersOrNull<T extends string> = Record<Words<T>, number | null>

export type Metadata = Record<string, string>
/** What every charge of a card comes to. */
export type CardKind = 'ok' | 'declined' | 'needs_action'
export type Interval = 'day' | 'week' | 'month' | 'year'
export type Card = Texts<'id brand last4'> & { kind: CardKind; created: number }
export type Address = TextsOrNull<'city country line1 line2 postal_code state'>
export type Period = Numbers<'start end'>
export type Rhythm = { interval: Interval; interval_count: number }
export type Decline = { code: string; decline_code?: string; message: string }

export interface Customer extends TextsOrNull<'email name phone description'> {
  id: string
  created: number
  address: Address | null
  metadata: Metadata
  /** Below zero it is a credit for the next invoice. */
  balance: number
  card: Card | undefined
  taxId: string | undefined
  isDeleted: boolean
}

export interface Product extends Texts<'id name'> {
  description: string | null
  active: boolean
  created: number
  metadata: Metadata
}

export interface Price extends Texts<'id product currency'>, TextsOrNull<'lookup_key nickname'> {
  unit_amount: number
  /** Amounts in other currencies. */
  currency_options?: Record<string, number>
  /** Null where it is paid once. */
  recurring: Rhythm | null
  active: boolean
  /** Known only to those who bought it. */
  isRemoved?: boolean
  metadata: Metadata
  created: number
}

export type Item = Texts<'id price'> & Numbers<'quantity created'> & { metadata: Metadata }

/** A line of an invoice, or one that waits for the next. */
export interface Line extends Texts<'id description price item'>, Numbers<'amount quantity'> {
  period: Period
  proration: boolean
}

export interface Subscription
  extends
    Texts<'id customer currency'>,
    Numbers<'created start_date billing_cycle_anchor current_period_start current_period_end'>,
    NumbersOrNull<'trial_start trial_end cancel_at canceled_at ended_at'>,
    Flags<'cancel_at_period_end automatic_tax'>,
    TextsOrNull<'description latest_invoice'> {
  status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled'
  items: Item[]
  metadata: Metadata
  /** Whether the event three days before the end of the trial was sent. */
  toldOfTrialEnd: boolean
  missingCard: 'create_invoice' | 'cancel' | 'pause'
  cancellation_details: TextsOrNull<'comment feedback reason'>
  /** Prorations that wait for the next invoice. */
  pending: Line[]
  /** What is changed once it is paid for. */
  pending_update: PendingUpdate | null
}

export interface PendingUpdate {
  items: Item[]
  /** Undefined where the period goes on. */
  period: Period | undefined
  cancel_at_period_end: boolean | null
  expires_at: number
  invoice: string
}

export interface Invoice
  extends
    Texts<'id customer currency billing_reason'>,
    TextsOrNull<'number subscription payment_intent'>,
    Numbers<'created period_start period_end subtotal tax taxPercent total amount_due amount_paid'>,
    Numbers<'starting_balance attempt_count'>,
    NumbersOrNull<'ending_balance finalizes_at next_payment_attempt firstFailure'>,
    NumbersOrNull<'finalized_at paid_at voided_at'>,
    Flags<'auto_advance automatic_tax paid_out_of_band'> {
  subscription_metadata: Metadata
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  lines: Line[]
  metadata: Metadata
}

export interface PaymentIntent
  extends
    Texts<'id customer invoice currency'>,
    Numbers<'amount created'>,
    TextsOrNull<'latest_charge payment_method'> {
  status: 'succeeded' | 'requires_payment_method' | 'requires_action' | 'canceled'
  error: Decline | null
}

export interface Charge
  extends Texts<'id customer payment_intent currency'>, Numbers<'amount amount_refunded created'> {
  card: Card
  failure: Decline | null
}

export interface Refund
  extends Texts<'id charge payment_intent currency customer'>, Numbers<'amount created'> {
  reason: string | null
  metadata: Metadata
}

export interface CheckoutSession
  extends
    Texts<'id success_url currency'>,
    TextsOrNull<'customer customer_email client_reference_id cancel_url subscription invoice locale'>,
    Numbers<'created expires_at'>,
    Flags<'automatic_tax tax_id_collection'> {
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  metadata: Metadata
  line_items: { id: string; price: string; quantity: number }[]
  subscription_data: NumbersOrNull<'trial_end trial_period_days'> &
    Pick<Subscription, 'metadata' | 'description' | 'missingCard'>
  billing_address_collection: 'auto' | 'required'
  customer_update: Record<'address' | 'name', 'auto' | 'never'>
  allow_promotion_codes: boolean | null
  payment_method_collection: 'always' | 'if_required'
}

export interface PortalConfiguration
  extends
    Flags<'active is_default login_page'>,
    Numbers<'created updated'>,
    TextsOrNull<'name default_return_url'> {
  id: string
  business_profile: TextsOrNull<'headline privacy_policy_url terms_of_service_url'>
  features: PortalFeatures
  metadata: Metadata
}

type Feature = { enabled: boolean }

export interface PortalFeatures {
  customer_update: Feature & { allowed_updates: string[] }
  invoice_history: Feature
  payment_method_update: Feature
  subscription_cancel: Feature & { mode: 'at_period_end' | 'immediately'; proration_behavior: string }
  subscription_update: Feature & { default_allowed_updates: string[]; proration_behavior: string }
}

export interface PortalSession extends Texts<'id configuration customer'>, TextsOrNull<'return_url locale'> {
  created: number
}
