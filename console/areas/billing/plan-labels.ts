import { formatMoney } from '../../../contract/shared/money.ts'
import type { Billing, Plan, Subscription } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import type { Tone } from '../../ui/badge.tsx'

type Money = Pick<Plan, 'amount' | 'currency' | 'interval' | 'interval_count'>
type Interval = NonNullable<Plan['interval']>

export const formatAmount = ({ amount, currency }: Money): string | undefined =>
  amount === null || currency === null ? undefined : formatMoney(amount, currency)

export function formatInterval({ interval, interval_count: count }: Money): string {
  if (interval === null) return ''
  return count === null || count === 1 ? `a ${interval}` : `every ${count} ${interval}s`
}

export const formatPlanPrice = (money: Money): string | undefined => {
  const amount = formatAmount(money)
  return amount === undefined ? undefined : `${amount} ${formatInterval(money)}`.trim()
}

const perMonth: Record<Interval, number> = { day: 365 / 12, week: 52 / 12, month: 1, year: 1 / 12 }

/**
 * Returns whether the first monthly price is higher. Prices in different currencies cannot be compared, so the result
 * is false.
 */
export function isMoreExpensive(one: Money, other: Money): boolean {
  const [a, b] = [monthly(one), monthly(other)]
  return one.currency === other.currency && a !== undefined && b !== undefined && a > b
}

/** Returns whether the currencies differ. Stripe cannot change the currency of a subscription. */
export const hasDifferentCurrency = (one: Money, other: Money) =>
  one.currency !== null && other.currency !== null && one.currency !== other.currency

export const currencyWarnings = (plan: Money, paid: Money): string[] =>
  hasDifferentCurrency(plan, paid)
    ? [
        `This plan is priced in ${inCapitals(plan)}, but you pay in ${inCapitals(paid)}. To switch, cancel your current plan and choose this one after it ends.`,
      ]
    : []

const inCapitals = ({ currency }: Money) => currency?.toUpperCase()

const monthly = ({ amount, interval, interval_count: count }: Money) =>
  amount === null || interval === null ? undefined : (amount * perMonth[interval]) / (count ?? 1)

/** Maximum retention of metrics in days, whatever the plan. */
export const maxRetentionDays = 30

export const formatPlanLimits = ({ servers, members, retention_days: days }: Plan['limits']): string[] => [
  servers === null ? 'Unlimited servers' : formatCount(servers, 'server'),
  members === null ? 'Unlimited members' : formatCount(members, 'member'),
  `Metrics kept for ${formatCount(days ?? maxRetentionDays, 'day')}`,
]

export function planLimitWarnings(limits: Plan['limits'], { servers, members }: Billing['usage']): string[] {
  const usages = [
    [servers, limits.servers, formatCount(servers, 'server')],
    [members, limits.members, `${formatCount(members, 'member')}, including invites`],
  ] as const
  return usages.flatMap(([used, most, have]) =>
    most === null || used <= most
      ? []
      : [`You have ${have}. This plan allows ${most}. Nothing is deleted, but you cannot add more.`],
  )
}

const owed: readonly string[] = ['past_due', 'unpaid', 'incomplete']
const over: readonly string[] = ['canceled', 'incomplete_expired']

type State = Pick<Subscription, 'stripe_status' | 'grace_ends_at'>

export const isPaymentOverdue = ({ stripe_status: status, grace_ends_at: grace }: State) =>
  grace !== null || owed.includes(status)

export const isSubscriptionEnded = ({ stripe_status: status }: State) => over.includes(status)

type StatusAndDates = Pick<Subscription, 'stripe_status' | 'status' | 'grace_ends_at' | 'cancel_at'>

export function subscriptionState(subscription: StatusAndDates): [tone: Tone, label: string] {
  const { stripe_status: status, cancel_at: cancelAt } = subscription
  if (isSubscriptionEnded(subscription)) return ['neutral', 'Ended']
  if (isPaymentOverdue(subscription)) return [status === 'active' ? 'yellow' : 'red', 'Payment due']
  if (cancelAt !== null) return ['yellow', 'Canceled']
  if (status !== 'active') return ['yellow', 'Paused']
  return ['green', subscription.status === 'trialing' ? 'Trial' : 'Active']
}
