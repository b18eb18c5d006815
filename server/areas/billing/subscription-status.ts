import type { Stripe } from 'stripe'
import type { ExternalInitiator } from '../../events.ts'

export const stripeInitiator: ExternalInitiator = { name: 'Stripe', via: 'webhook', address: null }

interface Status {
  stripe_status: string | null
}

export const toStatus = ({ status }: Stripe.Subscription): Status => ({ stripe_status: status })

const paidStatuses = ['active', 'trialing']
export const overdueStatuses = ['past_due', 'unpaid', 'incomplete']
export const liveStatuses = [...paidStatuses, ...overdueStatuses, 'paused']

export const isPaidSubscription = ({ stripe_status }: Status) => isOneOf(stripe_status, paidStatuses)

export const isPaymentOverdue = ({ stripe_status }: Status) => isOneOf(stripe_status, overdueStatuses)

export const isLiveSubscription = ({ stripe_status }: Status) => isOneOf(stripe_status, liveStatuses)

const isOneOf = (status: string | null, all: string[]) => status !== null && all.includes(status)
