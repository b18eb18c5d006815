import { randomBytes } from 'node:crypto'
import type {
  CheckoutSession,
  Customer,
  Invoice,
  PortalConfiguration,
  PortalSession,
  Price,
  Subscription,
} from './records.ts'

/** The newest API version, which the SDK in use pins. */
export const apiVersion = '2026-10-28.endive'

export const day = 86_400

export interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  type: string
  livemode: false
  pending_webhooks: number
  /** The API request that caused the event. */
  request: { id: string | null; idempotency_key: string | null }
  data: { object: object; previous_attributes?: object }
}

export type State = ReturnType<typeof createState>

/** Everything that one account holds. */
export function createState(url: string, now: () => number, deliver: (event: StripeEvent) => void) {
  const settings: Settings = {
    afterRetries: 'cancel',
    retryDays: [3, 5, 7],
    showsCancelAt: true,
    newAddresses: false,
  }
  return {
    url,
    now,
    deliver,
    settings,
    secretKey: newId('sk_test', 99),
    request: { id: null, idempotency_key: null } as StripeEvent['request'],
    customers: new Array<Customer>(),
    prices: new Array<Price>(),
    sessions: new Array<CheckoutSession>(),
    subscriptions: new Array<Subscription>(),
    invoices: new Array<Invoice>(),
    /** Previewed invoices, whose lines can be listed. */
    previews: new Array<Invoice>(),
    configurations: new Array<PortalConfiguration>(),
    portalSessions: new Array<PortalSession>(),
    events: new Array<StripeEvent>(),
  }
}

export interface Settings {
  /** Status of a subscription when the last retry of a payment fails. */
  afterRetries: 'cancel' | 'unpaid' | 'past_due'
  /** Days after the first failure. */
  retryDays: number[]
  /** Whether `cancel_at_period_end` sets `cancel_at` too: Stripe's documentation is contradictory, so tests try both. */
  showsCancelAt: boolean
  /** Whether the URL of an invoice changes with each response, as Stripe's may. */
  newAddresses: boolean
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A new id with the prefix of its object type. */
export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')}`

/** The record that another one refers to, which is a fault of the fake if missing. */
export function getById<T extends { id: string }>(all: T[], id: string): T {
  const found = all.find((one) => one.id === id)
  if (!found) throw new Error(`There is no ${id}.`)
  return found
}
