/** Days for which an overdue plan still gives access. */
const graceDays = 7

interface Status {
  stripe_status: string | null
}

const paidStatuses = ['active', 'trialing']
export const overdueStatuses = ['past_due', 'unpaid', 'incomplete']
export const liveStatuses = [...paidStatuses, ...overdueStatuses, 'paused']

export const isPaidSubscription = ({ stripe_status }: Status) => isOneOf(stripe_status, paidStatuses)

export const isPaymentOverdue = ({ stripe_status }: Status) => isOneOf(stripe_status, overdueStatuses)

export const isLiveSubscription = ({ stripe_status }: Status) => isOneOf(stripe_status, liveStatuses)

const isOneOf = (status: string | null, all: string[]) => status !== null && all.includes(status)

interface Overdue extends Status {
  past_due_since: Date | null
}

export function grantsAccess(row: Overdue, now: Date): boolean {
  const grace = graceEndsAt(row)
  return grace ? grace > now : ['active', 'trialing', 'past_due'].includes(row.stripe_status ?? '')
}

/** Returns the end of the grace period of an overdue (`past_due`) subscription. */
export function graceEndsAt({ stripe_status, past_due_since }: Overdue): Date | null {
  if (stripe_status !== 'past_due' || !past_due_since) return null
  return new Date(past_due_since.getTime() + graceDays * 86_400_000)
}
