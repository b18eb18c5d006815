import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Day } from '../../ui/time.tsx'
import { isSubscriptionEnded, formatPlanPrice } from './plan-labels.ts'
import type { Billing, Subscription } from './queries.ts'
import { subscriptionState } from './subscription-state.ts'

export function SubscriptionCard({ billing }: { billing: Billing }) {
  const { subscription, on_trial: onTrial, trial_ends_at: trialEnd } = billing
  const paid = subscription && !isSubscriptionEnded(subscription) ? subscription : undefined
  return (
    <Card
      title="Current plan"
      action={
        <ButtonLink to={paths.choosePlan} variant={paid ? 'secondary' : 'primary'}>
          {paid ? 'Change plan' : 'Choose a plan'}
        </ButtonLink>
      }
    >
      {paid ? <Facts subscription={paid} /> : <TrialFacts end={onTrial ? trialEnd : null} />}
    </Card>
  )
}

function Facts({ subscription }: { subscription: Subscription }) {
  const { plan, renews_at: renews, cancel_at: cancelAt, trial_ends_at: trialEnd } = subscription
  const [tone, label] = subscriptionState(subscription)
  const trying = subscription.status === 'trialing' && trialEnd !== null
  return (
    <DefinitionList
      dense
      items={[
        fact('Plan', plan?.name ?? 'Custom plan'),
        fact('Status', <Badge tone={tone}>{label}</Badge>),
        fact('Price', formatPlanPrice(subscription) ?? 'Unavailable'),
        ...(trying ? [fact('Trial ends', <Day at={trialEnd} />)] : []),
        cancelAt === null
          ? fact(trying ? 'First payment' : 'Next payment', renews === null ? 'None' : <Day at={renews} />)
          : fact('Ends', <Day at={cancelAt} />),
      ]}
    />
  )
}

const TrialFacts = ({ end }: { end: string | null }) => (
  <DefinitionList
    dense
    items={[
      fact('Plan', end === null ? 'None' : 'Trial'),
      fact('Price', 'Free'),
      ...(end === null ? [] : [fact('Trial ends', <Day at={end} />)]),
    ]}
  />
)

const fact = (term: string, value: ReactNode) => ({ term, value })
