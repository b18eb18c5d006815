import type { Stripe } from 'stripe'
import type { Config } from '../../config.ts'
import { findPlanSold } from './sold.ts'
import { isLive, isPaid } from './status.ts'

type Subscription = Stripe.Subscription

export interface Picked {
  /** The effective subscription. */
  subscription: Subscription | undefined
  /** Duplicates created by Slipway. */
  duplicates: Subscription[]
}

/**
 * Chooses the effective subscription: paid before overdue, configured plans before custom prices, older before newer; if none is live, the one that ended last.
 */
export function pick(config: Pick<Config, 'PLANS'>, workspaceId: string, all: Subscription[]): Picked {
  const rank = (one: Subscription) => (isPaid(statusOf(one)) ? 0 : 2) + (findPlanSold(config, one) ? 0 : 1)
  const live = all
    .filter((one) => isLive(statusOf(one)))
    .toSorted((a, b) => rank(a) - rank(b) || a.created - b.created || compare(a.id, b.id))
  const [first, ...rest] = live
  if (!first) return { subscription: all.toSorted((a, b) => endOf(b) - endOf(a))[0], duplicates: [] }
  return {
    subscription: first,
    duplicates: rest.filter(({ metadata }) => metadata['workspace_id'] === workspaceId),
  }
}

export const statusOf = ({ status }: Subscription) => ({ stripe_status: status })

const endOf = ({ ended_at, created }: Subscription) => ended_at ?? created
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
