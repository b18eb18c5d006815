import type { Stripe } from 'stripe'
import type { Config } from '../../config.ts'
import { findSubscribedPlan } from './subscribed-plan.ts'
import { isLiveSubscription, isPaidSubscription } from './subscription-status.ts'

type Subscription = Stripe.Subscription

export interface PickedSubscription {
  /** The effective subscription. */
  subscription: Subscription | undefined
  /** Duplicates created by Slipway. */
  duplicates: Subscription[]
}

/**
 * Chooses the effective subscription: paid before overdue, configured plans before custom prices, older before newer; if none is live, the one that ended last.
 */
export function pickSubscription(
  config: Pick<Config, 'PLANS'>,
  workspaceId: string,
  all: Subscription[],
): PickedSubscription {
  const rank = (one: Subscription) =>
    (isPaidSubscription(toStatus(one)) ? 0 : 2) + (findSubscribedPlan(config, one) ? 0 : 1)
  const live = all
    .filter((one) => isLiveSubscription(toStatus(one)))
    .toSorted((a, b) => rank(a) - rank(b) || a.created - b.created || compare(a.id, b.id))
  const [first, ...rest] = live
  if (!first) return { subscription: all.toSorted((a, b) => endTime(b) - endTime(a))[0], duplicates: [] }
  return {
    subscription: first,
    duplicates: rest.filter(({ metadata }) => metadata['workspace_id'] === workspaceId),
  }
}

export const toStatus = ({ status }: Subscription) => ({ stripe_status: status })

const endTime = ({ ended_at, created }: Subscription) => ended_at ?? created
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
