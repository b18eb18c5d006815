import type { Context } from '../../context.ts'
import { receiveDeploy } from './receive-deploy.ts'
import { receiveGitHub } from './receive-github.ts'
import { receiveStripe } from './receive-stripe.ts'
import type { Received } from './received.ts'

/** Validates and stores the webhook; it is processed in the background. */
export function receive(ctx: Context, hook: string, given: Received): Promise<void> {
  if (hook === 'github') return receiveGitHub(ctx, given)
  return hook === 'stripe' ? receiveStripe(ctx, given) : receiveDeploy(ctx, hook, given)
}
