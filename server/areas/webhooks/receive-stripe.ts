import type { Context } from '../../context.ts'
import { integrationNotConfigured, unreadable } from '../../errors.ts'
import { handleStripeEvent, stripeEvent } from '../billing/handle-stripe-event.ts'
import { stripeClient } from '../billing/stripe.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'
import { decodeBody, type IncomingWebhook, rejectWebhook } from './incoming-webhook.ts'

const maxBytes = 1_048_576

const tolerance = 300

export async function receiveStripe(ctx: Context, webhook: IncomingWebhook): Promise<void> {
  if (!isBillingOn(ctx.config)) throw integrationNotConfigured('Billing')
  const signature = webhook.header('stripe-signature')
  if (!signature) throw rejectWebhook(ctx, webhook.address)
  const text = decodeBody(await webhook.read(maxBytes))
  const { webhooks } = await stripeClient(ctx)
  const read = () => webhooks.constructEvent(text, signature, webhookSecret(ctx), tolerance)
  await handleStripeEvent(ctx, readEvent(ctx, webhook, read))
}

const webhookSecret = ({ config }: Context) => config.STRIPE_WEBHOOK_SECRET ?? ''

function readEvent(ctx: Context, { address }: IncomingWebhook, read: () => unknown) {
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
    throw rejectWebhook(ctx, address)
  }
}
