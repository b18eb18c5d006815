import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock, LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { formatAmount, isSubscriptionEnded, isPaymentOverdue } from '../../areas/billing/plan-labels.ts'
import {
  type ConfirmedSubscription,
  type Subscription,
  confirmSubscriptionQuery,
} from '../../areas/billing/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { useParam } from '../../lib/use-param.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Day } from '../../ui/time.tsx'
import { useSetTrail } from '../../ui/breadcrumbs.tsx'

export function BillingSuccessPage() {
  const { billing, role } = useWorkspace()
  const [sessionId] = useParam('session_id')
  useSetTrail([{ label: 'Subscription' }])
  if (!billing) return <Navigate to={paths.home} replace />
  if (sessionId === '' || !roleAllows(role, 'billing.manage')) return <Navigate to={paths.billing} replace />
  return <Outcome sessionId={sessionId} />
}

function Outcome({ sessionId }: { sessionId: string }) {
  const { name } = useWorkspace()
  const { data, error, refetch, isFetching } = useQuery(confirmSubscriptionQuery(sessionId))
  if (data) return <State confirmed={data} />
  if (!error)
    return (
      <StatusPanel icon={LoaderCircle} turns title="Confirming payment…">
        This takes a few seconds.
      </StatusPanel>
    )
  if (isNotFound(error))
    return (
      <StatusPanel icon={CircleAlert} title="This payment belongs to another workspace" action={<Back />}>
        You are in {name}. Use the workspace menu to switch to the workspace you paid for.
      </StatusPanel>
    )
  return (
    <StatusPanel
      icon={CircleAlert}
      title="Could not confirm payment"
      action={
        <Button pending={isFetching && 'Checking…'} onClick={() => void refetch()}>
          Try again
        </Button>
      }
    >
      {error.message} If you have paid, your plan starts as soon as Slipway can reach Stripe.
    </StatusPanel>
  )
}

function State({ confirmed: { state, subscription } }: { confirmed: ConfirmedSubscription }) {
  if (state === 'paid' && subscription && subscription.stripe_status !== 'active')
    return <NoLonger subscription={subscription} />
  if (state === 'paid')
    return (
      <StatusPanel
        icon={CircleCheck}
        good
        title={subscription?.plan ? `You are on the ${subscription.plan.name} plan` : 'Your plan is active'}
        action={
          <>
            <ButtonLink to={paths.home} variant="primary">
              Go to the dashboard
            </ButtonLink>
            <ButtonLink to={paths.billing}>View billing</ButtonLink>
          </>
        }
      >
        {subscription && <NextPayment subscription={subscription} />}
      </StatusPanel>
    )
  if (state === 'processing')
    return (
      <StatusPanel
        icon={Clock}
        title="Payment processing"
        action={<ButtonLink to={paths.choosePlan}>View plans</ButtonLink>}
      >
        Some payment methods take longer. This page updates when the payment completes.
      </StatusPanel>
    )
  if (state === 'open')
    return (
      <StatusPanel icon={Clock} title="Payment not completed" action={<Back />}>
        Choose the plan again to return to checkout.
      </StatusPanel>
    )
  return (
    <StatusPanel icon={CircleAlert} title="Checkout expired" action={<Back />}>
      You were not charged. Choose a plan to start again.
    </StatusPanel>
  )
}

function NoLonger({ subscription }: { subscription: Subscription }) {
  if (isSubscriptionEnded(subscription))
    return (
      <StatusPanel icon={CircleAlert} title="Plan ended" action={<Back />}>
        Choose a plan to continue.
      </StatusPanel>
    )
  return (
    <StatusPanel
      icon={CircleAlert}
      title={isPaymentOverdue(subscription) ? 'A payment is overdue' : 'This plan is paused'}
      action={<Back>View plans</Back>}
    >
      You cannot deploy or make changes. Applications keep running.
    </StatusPanel>
  )
}

const Back = ({ children = 'Choose a plan' }: { children?: string }) => (
  <ButtonLink to={paths.choosePlan} variant="primary">
    {children}
  </ButtonLink>
)

function NextPayment({ subscription }: { subscription: Subscription }) {
  const { status, trial_ends_at: trialEnd, renews_at: renews } = subscription
  const amount = formatAmount(subscription)
  if (status === 'trialing' && trialEnd !== null)
    return (
      <>
        Your trial continues until <Day at={trialEnd} />, when the first payment{amount && ` of ${amount}`} is
        due.
      </>
    )
  return (
    renews !== null && (
      <>
        Thank you. The next payment{amount && ` of ${amount}`} is due on <Day at={renews} />.
      </>
    )
  )
}

interface StatusPanelProps {
  icon: LucideIcon
  title: string
  children: ReactNode
  action?: ReactNode
  good?: boolean
  turns?: boolean
}

const StatusPanel = ({ icon: Icon, title, children, action, good, turns }: StatusPanelProps) => (
  <div className="mx-auto flex min-h-[60dvh] w-full max-w-md flex-col items-start justify-center gap-4 wrap-anywhere">
    <output className="sr-only">{title}</output>
    <Icon
      className={classNames('size-8', good ? 'text-green-ink' : 'text-muted', turns && 'animate-spin')}
      aria-hidden
    />
    <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
    <p className="text-muted">{children}</p>
    {action && <div className="flex flex-wrap gap-2">{action}</div>}
  </div>
)
