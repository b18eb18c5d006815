import type { ConfiguredPlan } from '../../config-values.ts'
import { conflict } from '../../errors.ts'

export const alreadyOnPlan = ({ name }: ConfiguredPlan) =>
  conflict('same_plan', `This workspace is already on the plan ${name}.`)

export const paymentDue = (payUrl: string) =>
  conflict(
    'payment_due',
    'A payment for this workspace is overdue. Pay the invoice first, then change the plan.',
    payUrl,
  )

export const planUnavailable = ({ name }: ConfiguredPlan) =>
  conflict(
    'plan_unavailable',
    `${planUnavailableReason(name)} Contact the operator of this instance or choose another plan.`,
  )

export const planUnavailableReason = (name: string) =>
  `The plan ${name} is unavailable: its price does not exist or is inactive in Stripe.`

export const otherCurrency = (plan: ConfiguredPlan, soldIn: string, paidIn: string) =>
  conflict('other_currency', otherCurrencyReason(plan, soldIn, paidIn))

export const otherCurrencyReason = ({ name }: ConfiguredPlan, soldIn: string, paidIn: string) =>
  `The plan ${name} is priced in ${soldIn.toUpperCase()}, but this workspace pays in ${paidIn.toUpperCase()}. Cancel the current plan and choose this one after it has ended.`

export const paymentInProgress = () =>
  conflict(
    'payment_under_way',
    'A payment for this workspace is in progress. Reload the page shortly to see the plan.',
  )

export const paidMeanwhile = (present: string) =>
  conflict(
    'paid_meanwhile',
    `This workspace switched to the plan ${present} in the meantime, so nothing was changed or charged. To switch from ${present}, choose a plan again.`,
  )

export const noSubscription = () =>
  conflict('no_subscription', 'This workspace has no subscription. Choose a plan first.')

export const subscriptionEnded = () =>
  conflict('subscription_ended', 'The plan of this workspace has ended. Choose a new plan.')
