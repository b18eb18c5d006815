import type { ConfiguredPlan } from '../../billing-variables.ts'
import { conflict } from '../../errors.ts'

export const samePlan = ({ name }: ConfiguredPlan) =>
  conflict('same_plan', `This workspace is on the plan ${name} already.`)

export const paymentDue = (payUrl: string) =>
  conflict(
    'payment_due',
    'A payment for this workspace is overdue. Make it first; then the plan can be changed.',
    payUrl,
  )

export const planUnavailable = ({ name }: ConfiguredPlan) =>
  conflict(
    'plan_unavailable',
    `${whyUnavailable(name)} Tell the operator of this Slipway, or choose another plan.`,
  )

export const whyUnavailable = (name: string) =>
  `The plan ${name} cannot be bought at the moment: its price is not known at Stripe, or is not sold any more.`

export const otherCurrency = (plan: ConfiguredPlan, soldIn: string, paidIn: string) =>
  conflict('other_currency', whyOtherCurrency(plan, soldIn, paidIn))

export const whyOtherCurrency = ({ name }: ConfiguredPlan, soldIn: string, paidIn: string) =>
  `The plan ${name} is sold in ${soldIn.toUpperCase()}, and this workspace pays in ${paidIn.toUpperCase()}. Cancel the plan that it has, and choose this one when that has ended.`

export const paymentUnderWay = () =>
  conflict(
    'payment_under_way',
    'A payment for this workspace is just being made. Look at its plan in a moment.',
  )

export const paidMeanwhile = (present: string) =>
  conflict(
    'paid_meanwhile',
    `The plan ${present} was paid for meanwhile, so nothing was changed or charged. To have another one in its place, choose that once more.`,
  )

export const noSubscription = () =>
  conflict('no_subscription', 'This workspace has no plan that is paid for. Choose one first.')

export const subscriptionEnded = () =>
  conflict('subscription_ended', 'The plan of this workspace has ended. Choose one anew.')
