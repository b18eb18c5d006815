import type { Stripe } from 'stripe'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { integrationNotConfigured } from '../../errors.ts'
import { isPaidFor } from '../workspaces/standing.ts'
import { inOurWords } from './stripe-errors.ts'
import { mustHoldLock } from './under-lock.ts'

/** Calls Stripe and converts errors to problems. */
export async function askStripe<T>(ctx: Context, ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await clientOf(ctx)
  mustHoldLock()
  try {
    return await ask(stripe)
  } catch (error) {
    throw inOurWords(ctx, error)
  }
}

export function mustBeOn({ config }: Context): void {
  if (!isPaidFor(config)) throw integrationNotConfigured('Billing')
}

export function clientOf(ctx: Context): Promise<Stripe> {
  mustBeOn(ctx)
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

export const idOf = (one: string | { id: string } | null | undefined): string | undefined =>
  typeof one === 'string' ? one : one?.id

export const timeOf = (seconds: number | null | undefined): Date | null =>
  typeof seconds === 'number' ? new Date(seconds * 1_000) : null
