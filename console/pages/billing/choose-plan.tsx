import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { hasPlan } from '../../../contract/shared/has-plan.ts'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import {
  CancellationNotice,
  PaymentOverdueNotice,
  PaymentPendingNotice,
  TrialNotice,
} from '../../areas/billing/billing-notices.tsx'
import { PlanCard, PlanList, PlansSkeleton } from '../../areas/billing/plan-list.tsx'
import { PlanChoice } from '../../areas/billing/plan-choice.tsx'
import { isPaymentOverdue, isSubscriptionEnded } from '../../areas/billing/plan-labels.ts'
import { billingQuery } from '../../areas/billing/queries.ts'
import { isLocked, wasLockedAtCreation } from '../../areas/workspaces/workspace-plan.ts'
import { OwnerNames } from '../../areas/workspaces/owner-names.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { paths } from '../../paths.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { LockedData } from './locked-data.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Plan selection. Without a plan, no other page of the workspace is accessible. */
export function ChoosePlanPage() {
  const workspace = useWorkspace()
  if (!workspace.billing) return <Navigate to={paths.home} replace />
  const locked = isLocked(workspace)
  const owns = roleAllows(workspace.role, 'billing.manage')
  return (
    <>
      <PageHeader
        title="Choose a plan"
        parents={locked ? [] : parents}
        description={<Description owns={owns} />}
      />
      {locked && <LockedNotice />}
      {owns ? <OwnersPlans locked={locked} /> : <OthersPlans />}
      {locked && <LockedData />}
    </>
  )
}

const parents = [
  { label: 'Settings', to: paths.settings },
  { label: 'Workspace', to: paths.workspace },
  { label: 'Billing', to: paths.billing },
]

function Description({ owns }: { owns: boolean }): ReactNode {
  const { on_trial: onTrial, trial_ends_at: end, subscription } = useWorkspace()
  if (onTrial && end !== null) return <TrialNotice end={end} owns={owns} />
  if (owns && subscription && isPaymentOverdue(subscription))
    return 'You can change your plan after the overdue payment is made.'
  return owns ? 'Change or cancel at any time.' : 'Only owners can choose a plan.'
}

function OwnersPlans({ locked }: { locked: boolean }) {
  const query = useQuery(billingQuery)
  const { data: billing } = query
  if (!billing)
    return <QueryFallback query={query} failed="Could not load plans" card skeleton={<PlansSkeleton />} />
  const { subscription } = billing
  const ongoing = subscription && !isSubscriptionEnded(subscription) && !locked
  return (
    <>
      {ongoing && isPaymentOverdue(subscription) && <PaymentOverdueNotice subscription={subscription} />}
      {ongoing && !isPaymentOverdue(subscription) && <CancellationNotice subscription={subscription} />}
      {ongoing && <PaymentPendingNotice subscription={subscription} />}
      <PlanChoice billing={billing} />
    </>
  )
}

function OthersPlans() {
  const workspace = useWorkspace()
  const name = hasPlan(workspace) && !workspace.on_trial ? workspace.subscription?.plan_name : undefined
  return (
    <>
      <PlanList
        renderPlan={(plan) => (
          <PlanCard key={plan.id} plan={plan} current={plan.name === name ? 'green' : undefined} />
        )}
      />
      {!isLocked(workspace) && (
        <p className="text-muted">
          To change the plan, ask <OwnerNames />.
        </p>
      )}
    </>
  )
}

function LockedNotice() {
  const workspace = useWorkspace()
  const { name, role, subscription } = workspace
  const owns = roleAllows(role, 'billing.manage')
  const { data: billing } = useQuery({ ...billingQuery, enabled: owns })
  const owed = subscription !== null && isPaymentOverdue(subscription)
  if (owed && billing?.subscription) return <PaymentOverdueNotice subscription={billing.subscription} />
  if (wasLockedAtCreation(workspace)) return <FirstPlanNotice name={name} owns={owns} />
  return (
    <Notice
      tone={owed ? 'red' : 'yellow'}
      title={
        owed ? 'A payment is overdue' : subscription === null ? 'The trial has ended' : 'The plan has ended'
      }
    >
      <Sentences>
        Applications keep running and nothing in <bdi className="font-medium">{name}</bdi> is deleted. To
        deploy and make changes again,{' '}
        {owns ? (
          <>choose a plan.</>
        ) : (
          <>
            ask <OwnerNames /> to {owed ? 'pay' : 'choose a plan'}.
          </>
        )}
      </Sentences>
    </Notice>
  )
}

/** Notice for a workspace without a trial. Each user has one trial; later workspaces need a plan from the start. */
const FirstPlanNotice = ({ name, owns }: { name: string; owns: boolean }) => (
  <Notice tone="yellow" title={owns ? `Choose a plan for ${name}` : `${name} has no plan yet`}>
    <Sentences>
      {owns ? (
        'You have already used your trial. Choose a plan to add servers and deploy.'
      ) : (
        <>
          To add servers and deploy, ask <OwnerNames /> to choose a plan.
        </>
      )}
    </Sentences>
  </Notice>
)

const Sentences = ({ children }: { children: ReactNode }) => <p>{children}</p>
