import type { Workspace } from './queries.ts'

const over: readonly string[] = ['canceled', 'incomplete_expired']

/** Whether there is a subscription that goes on, be it paid for or owed for. */
export const isPaidFor = ({ billing, subscription }: Pick<Workspace, 'billing' | 'subscription'>) =>
  billing && subscription !== null && !over.includes(subscription.stripe_status)
