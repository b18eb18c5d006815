import { useState } from 'react'
import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { type Billing, type Plan, type Subscription, useSubscribe } from './queries.ts'
import { ResumePlanButton, useExternalRedirect } from './billing-buttons.tsx'
import { PlanCard, PlanList } from './plan-list.tsx'
import {
  currencyWarnings,
  hasDifferentCurrency,
  isMoreExpensive,
  isPaymentOverdue,
  isSubscriptionEnded,
  planLimitWarnings,
  subscriptionState,
} from './plan-labels.ts'

/** Plan list for owners. The first plan is paid for in Stripe Checkout; later changes are made here. */
export function PlanChoice({ billing }: { billing: Billing }) {
  const { subscription, usage } = billing
  const { dialog, close } = useDialog()
  const paid = subscription && canChangePlan(subscription) ? subscription : undefined
  const first = useFirstPlan()
  const warnings = (plan: Plan) => [
    ...planLimitWarnings(plan.limits, usage),
    ...(paid ? currencyWarnings(plan, paid) : []),
  ]
  return (
    <PlanList
      renderPlan={(plan) => {
        const current = paid?.plan?.id === plan.id
        return (
          <PlanCard
            key={plan.id}
            // Existing customers keep the price that they signed up for.
            plan={current ? { ...plan, ...priceOf(paid) } : plan}
            current={current ? subscriptionState(paid)[0] : undefined}
            warnings={current ? [] : warnings(plan)}
          >
            {current && paid.cancel_at !== null && (
              <ResumePlanButton plan={plan} look={{ variant: 'primary', wide: true }}>
                Keep {plan.name}
              </ResumePlanButton>
            )}
            {!current && paid && <ChangeButton plan={plan} paid={paid} />}
            {!paid && (
              <Button
                variant={warnings(plan).length === 0 ? 'primary' : 'secondary'}
                wide
                disabled={plan.unavailable_reason !== null || (first.busy && first.chosen !== plan.id)}
                pending={first.busy && first.chosen === plan.id && 'Opening Stripe…'}
                onClick={() => first.choose(plan)}
              >
                Choose {plan.name}
              </Button>
            )}
            {paid && !current && dialog === `change-${plan.id}` && (
              <ChangePlanDialog plan={plan} paid={paid} usage={usage} onClose={close} />
            )}
          </PlanCard>
        )
      }}
    />
  )
}

const priceOf = ({ amount, currency, interval, interval_count }: Subscription) => ({
  amount,
  currency,
  interval,
  interval_count,
})

/**
 * Returns whether the plan of the subscription can change. One that is paused or can no longer be paid must be replaced
 * by a new subscription.
 */
const canChangePlan = (subscription: Subscription) =>
  !isSubscriptionEnded(subscription) &&
  subscription.stripe_status !== 'paused' &&
  !(isPaymentOverdue(subscription) && subscription.pay_url === null)

function useFirstPlan() {
  const subscribe = useSubscribe()
  const { leaving, leaveTo } = useExternalRedirect()
  const [chosen, setChosen] = useState<string>()

  async function start({ id }: Plan) {
    setChosen(id)
    const { url } = await subscribe.mutateAsync({ plan_id: id, expected_plan_id: null })
    if (url !== null) leaveTo(url)
  }

  // The mutation shows its error, so the rejection needs no handler.
  const choose = (plan: Plan) => void start(plan).catch(() => undefined)

  return { choose, chosen, busy: subscribe.isPending || leaving }
}

function ChangeButton({ plan, paid }: { plan: Plan; paid: Subscription }) {
  const { open } = useDialog()
  const dearer = isMoreExpensive(plan, paid)
  return (
    <Button
      variant={dearer ? 'primary' : 'secondary'}
      wide
      disabled={
        plan.unavailable_reason !== null || isPaymentOverdue(paid) || hasDifferentCurrency(plan, paid)
      }
      onClick={() => open(`change-${plan.id}`)}
    >
      {dearer ? 'Upgrade' : 'Change'} to {plan.name}
    </Button>
  )
}
