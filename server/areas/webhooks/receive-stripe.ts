import type { Context } from '../../context.ts'
import { integrationNotConfigured, unreadable } from '../../errors.ts'
import { hear, stripeEvent } from '../billing/hear.ts'
import { clientOf } from '../billing/stripe.ts'
import { isPaidFor } from '../workspaces/standing.ts'
import { type Received, textOf } from './received.ts'
import { refuse } from './wrong-calls.ts'

const mostBytes = 1_048_576

/** Maximum age of a signature in seconds, against replay. */
const tolerance = 300

/** Not stored as a delivery, since it concerns billing only. */
export async function receiveStripe(ctx: Context, given: Received): Promise<void> {
  if (!isPaidFor(ctx.config)) throw integrationNotConfigured('Billing')
  const signature = given.header('stripe-signature')
  if (!signature) throw refuse(ctx, given.address)
  const text = textOf(await given.read(mostBytes))
  const { webhooks } = await clientOf(ctx)
  const read = () => webhooks.constructEvent(text, signature, secretOf(ctx), tolerance)
  await hear(ctx, readEvent(ctx, given, read))
}

const secretOf = ({ config }: Context) => config.STRIPE_WEBHOOK_SECRET ?? ''

function readEvent(ctx: Context, { address }: Received, read: () => unknown) {
  try {
    return stripeEvent.parse(read())
  } catch (error) {
    if (!(error instanceof Error) || !('type' in error))
      throw unreadable('This request is not a valid Stripe event.')
    // Most likely the secret belongs to another endpoint.
    ctx.log.warn(
      { address, why: error.message.split('\n')[0] },
      'Rejected a Stripe event. Check that STRIPE_WEBHOOK_SECRET belongs to this endpoint',
    )
    throw refuse(ctx, address)
  }
}
