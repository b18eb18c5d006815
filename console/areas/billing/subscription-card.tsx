import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Day } from '../../ui/time.tsx'
import { formatPlanPrice, isSubscriptionEnded, maxRetentionDays, subscriptionState } from './plan-labels.ts'
import type { Billing, Subscription } from './queries.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { formatCount } from '../../../contract/shared/format-list.ts'

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
    <PlanFacts
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
  <PlanFacts
    items={[
      fact('Plan', end === null ? 'None' : 'Trial'),
      fact('Price', 'Free'),
      ...(end === null ? [] : [fact('Trial ends', <Day at={end} />)]),
    ]}
  />
)

const fact = (term: string, value: ReactNode) => ({ term, value })

/** Facts in one row: they are few, and each is important. */
const PlanFacts = ({ items }: { items: readonly ReturnType<typeof fact>[] }) => (
  <dl className="flex flex-wrap gap-x-12 gap-y-4">
    {items.map(({ term, value }) => (
      <div key={term} className="flex flex-col gap-1">
        <dt className="text-sm text-muted">{term}</dt>
        <dd className="text-lg font-semibold">{value}</dd>
      </div>
    ))}
  </dl>
)

export const UsageCard = ({ limits, usage }: Pick<Billing, 'limits' | 'usage'>) => (
  <Card
    title="Usage"
    description={`Metrics are kept for ${formatCount(limits.retention_days ?? maxRetentionDays, 'day')}.`}
  >
    <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Used label="Servers" used={usage.servers} most={limits.servers} />
      <Used label="Members and invites" used={usage.members} most={limits.members} />
    </div>
  </Card>
)

const Used = ({ label, used, most }: { label: string; used: number; most: number | null }) => (
  <div className="flex flex-col gap-1.5">
    <p className="flex justify-between gap-4">
      <span className="text-muted">{label}</span>
      <span className="tabular-nums">{most === null ? `${used}, no limit` : `${used} of ${most}`}</span>
    </p>
    {most !== null && (
      <ProgressBar label={label} current={used} total={most} tone={used < most ? 'accent' : 'yellow'} />
    )}
    {most !== null && used >= most && (
      <p className="text-sm text-muted">
        {used === most ? 'Limit reached.' : 'Over the limit. Nothing is deleted, but you cannot add more.'}
      </p>
    )}
  </div>
)
