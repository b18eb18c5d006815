import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { CancelPlanCard } from '../../areas/billing/cancel-plan-card.tsx'
import {
  CancellationNotice,
  PaymentOverdueNotice,
  PaymentPendingNotice,
} from '../../areas/billing/billing-notices.tsx'
import { isSubscriptionEnded, isPaymentOverdue } from '../../areas/billing/plan-labels.ts'
import { PortalButton } from '../../areas/billing/billing-buttons.tsx'
import { billingQuery } from '../../areas/billing/queries.ts'
import { SubscriptionCard, UsageCard } from '../../areas/billing/subscription-card.tsx'
import { OwnerNames } from '../../areas/workspaces/owner-names.tsx'
import { planLabel, planNote } from '../../areas/workspaces/workspace-plan.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useNow } from '../../ui/time.tsx'
import { SettingsFrame } from '../settings-frame.tsx'

export function BillingPage() {
  const { billing, role } = useWorkspace()
  if (!billing) return <Navigate to={paths.home} replace />
  return <SettingsFrame>{roleAllows(role, 'billing.manage') ? <OwnersView /> : <OthersView />}</SettingsFrame>
}

function OwnersView() {
  const query = useQuery(billingQuery)
  const { data: billing } = query
  if (!billing)
    return (
      <QueryFallback
        query={query}
        failed="Could not load plan"
        card
        skeleton={<Skeleton className="h-48 w-full rounded-lg!" />}
      />
    )
  const { subscription } = billing
  const ongoing = subscription && !isSubscriptionEnded(subscription)
  return (
    <>
      {ongoing && isPaymentOverdue(subscription) && <PaymentOverdueNotice subscription={subscription} />}
      {ongoing && !isPaymentOverdue(subscription) && <CancellationNotice subscription={subscription} />}
      {ongoing && <PaymentPendingNotice subscription={subscription} />}
      <SubscriptionCard billing={billing} />
      <UsageCard {...billing} />
      {subscription && (
        <Card
          title="Card and invoices"
          description="Manage the card, billing address and invoices in Stripe."
          action={<PortalButton>Open</PortalButton>}
        />
      )}
      {ongoing && subscription.cancel_at === null && <CancelPlanCard subscription={subscription} />}
    </>
  )
}

function OthersView() {
  const workspace = useWorkspace()
  const note = planNote(workspace, useNow())
  return (
    <Card title="Plan">
      <div className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium wrap-anywhere">{planLabel(workspace)}</span>
          {note && <Badge tone={note.urgent ? 'yellow' : 'neutral'}>{note.text}</Badge>}
        </p>
        <p className="text-muted">
          Only owners can view the price and change the plan. To change the plan, ask <OwnerNames />.
        </p>
      </div>
    </Card>
  )
}
