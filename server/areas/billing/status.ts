import type { ExternalInitiator } from '../../events.ts'

/** Initiator of changes made at Stripe. */
export const byStripe: ExternalInitiator = { name: 'Stripe', via: 'webhook', address: null }

interface Status {
  stripe_status: string | null
}

const paid = ['active', 'trialing']
export const owed = ['past_due', 'unpaid', 'incomplete']
export const live = [...paid, ...owed, 'paused']

/** Active or in trial. */
export const isPaid = ({ stripe_status }: Status) => isOneOf(stripe_status, paid)

export const isOwed = ({ stripe_status }: Status) => isOneOf(stripe_status, owed)

/** Not ended: paid, overdue or paused. */
export const isLive = ({ stripe_status }: Status) => isOneOf(stripe_status, live)

const isOneOf = (status: string | null, all: string[]) => status !== null && all.includes(status)
