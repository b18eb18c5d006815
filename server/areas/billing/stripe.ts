import type { Stripe } from 'stripe'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { integrationNotConfigured } from '../../errors.ts'
import type { ExternalInitiator } from '../../events.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'
import { toStripeProblem } from './stripe-errors.ts'
import { assertBillingMutex } from './billing-mutex.ts'

export const stripeInitiator: ExternalInitiator = { name: 'Stripe', via: 'webhook', address: null }

export async function callStripe<T>(ctx: Context, ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await stripeClient(ctx)
  assertBillingMutex()
  try {
    return await ask(stripe)
  } catch (error) {
    throw toStripeProblem(ctx, error)
  }
}

export function assertBillingOn({ config }: Context): void {
  if (!isBillingOn(config)) throw integrationNotConfigured('Billing', 'the operator')
}

export function stripeClient(ctx: Context): Promise<Stripe> {
  assertBillingOn(ctx)
  return ctx.stripe()
}

/** Loaded lazily to save memory when billing is off. */
export async function createStripeClient(config: Config): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const { protocol, hostname, port } = new URL(config.STRIPE_API_URL)
  return new Stripe(config.STRIPE_SECRET_KEY ?? '', {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: config.OUTSIDE_TIMEOUT * 1_000,
    // The SDK adds an idempotency key to each request, so retries are safe.
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Slipway' },
  })
}

export const stripeId = (one: string | { id: string } | null | undefined): string | undefined =>
  typeof one === 'string' ? one : one?.id

export const fromStripeTime = (seconds: number | null | undefined): Date | null =>
  typeof seconds === 'number' ? new Date(seconds * 1_000) : null

export const toStatus = ({ status }: Stripe.Subscription) => ({ stripe_status: status })
