import { randomBytes } from 'node:crypto'
import type { CheckoutSession, PortalConfiguration, PortalSession } from './records.ts'
import type {
  Charge,
  Customer,
  Invoice,
  PaymentIntent,
  Price,
  Product,
  Refund,
  Subscription,
} from './records.ts'

/** What the newest API version of the SDK in use is called. */
export const apiVersion = '2026-10-28.endive'

export interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  type: string
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  data: { object: object; previous_attributes?: object }
}

/** Everything that one account holds. */
export interface State {
  url: string
  secretKey: string
  webhookSecret: string
  customers: Customer[]
  products: Product[]
  prices: Price[]
  sessions: CheckoutSession[]
  subscriptions: Subscription[]
  invoices: Invoice[]
  /** What was only looked at; its lines can be read on. */
  previews: Invoice[]
  paymentIntents: PaymentIntent[]
  charges: Charge[]
  refunds: Refund[]
  configurations: PortalConfiguration[]
  portalSessions: PortalSession[]
  events: StripeEvent[]
  /** The request that is being answered, as events tell of it. */
  request: StripeEvent['request']
  settings: {
    /** What becomes of a subscription when the last retry of a payment failed too. */
    afterRetries: 'cancel' | 'unpaid' | 'past_due'
    /** Days after the first failure. */
    retryDays: number[]
    /** How the portal cancels: newer ones set the time alone. */
    portalCancels: 'cancel_at' | 'cancel_at_period_end'
    /** Whether one that ends with its period names the time too; what is written of the real one disagrees, so try both. */
    showsCancelAt: boolean
    /** Whether an invoice has another address each time that it is told, as the real one's can be. */
    newAddresses: boolean
  }
  now: () => number
  /** Those who deliver what happened. */
  tell: (event: StripeEvent) => void
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id with the prefix of its kind. */
export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')}`
