import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock, LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { may } from '../../../contract/shared/permissions.ts'
import { amountInWords, isOver, isOwed } from '../../areas/billing/plan-words.ts'
import { type Confirmed, type Subscription, confirmQuery } from '../../areas/billing/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { isMissing } from '../../lib/http/failure.ts'
import { useParam } from '../../lib/use-param.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Day } from '../../ui/time.tsx'
import { useSetTrail } from '../../ui/trail.tsx'

/** Where people come back to from paying. */
export function BillingSuccessPage() {
  const { billing, role } = useWorkspace()
  const [sessionId] = useParam('session_id')
  useSetTrail([{ label: 'Subscription' }])
  if (!billing) return <Navigate to={paths.home} replace />
  if (sessionId === '' || !may(role, 'billing.manage')) return <Navigate to={paths.billing} replace />
  return <Outcome sessionId={sessionId} />
}

function Outcome({ sessionId }: { sessionId: string }) {
  const { name } = useWorkspace()
  const { data, error, refetch, isFetching } = useQuery(confirmQuery(sessionId))
  if (data) return <State confirmed={data} />
  if (!error)
    return (
      <Told icon={LoaderCircle} turns title="Looking at your payment…">
        This takes a moment.
      </Told>
    )
  if (isMissing(error))
    return (
      <Told icon={CircleAlert} title="This payment is not one of this workspace" action={<Back />}>
        You are in {name}. If you have paid for another workspace, switch to it at the top left.
      </Told>
    )
  return (
    <Told
      icon={CircleAlert}
      title="Your payment could not be looked at"
      action={
        <Button pending={isFetching && 'Looking again…'} onClick={() => void refetch()}>
          Try again
        </Button>
      }
    >
      {error.message} If you have paid, that is not lost: the plan begins as soon as Stripe can be asked.
    </Told>
  )
}

function State({ confirmed: { state, subscription } }: { confirmed: Confirmed }) {
  if (state === 'paid' && subscription && subscription.stripe_status !== 'active')
    return <NoLonger subscription={subscription} />
  if (state === 'paid')
    return (
      <Told
        icon={CircleCheck}
        good
        title={subscription?.plan ? `You are on the ${subscription.plan.name} plan` : 'Your plan has begun'}
        action={
          <>
            <ButtonLink to={paths.home} variant="primary">
              Go to the dashboard
            </ButtonLink>
            <ButtonLink to={paths.billing}>See billing</ButtonLink>
          </>
        }
      >
        {subscription && <NextPayment subscription={subscription} />}
      </Told>
    )
  if (state === 'processing')
    return (
      <Told
        icon={Clock}
        title="Your payment is on its way"
        action={<ButtonLink to={paths.choosePlan}>See the plans</ButtonLink>}
      >
        Some ways to pay take a while. This page goes on by itself once the payment has come through.
      </Told>
    )
  if (state === 'open')
    return (
      <Told icon={Clock} title="Nothing has been paid yet" action={<Back />}>
        The page to pay on is still open. Choose the plan again to go back to it.
      </Told>
    )
  return (
    <Told icon={CircleAlert} title="The page to pay on has expired" action={<Back />}>
      Nothing was charged. Choose a plan to begin anew.
    </Told>
  )
}

/** Somebody has kept the address of this page, and time has passed. */
function NoLonger({ subscription }: { subscription: Subscription }) {
  if (isOver(subscription))
    return (
      <Told icon={CircleAlert} title="This plan has ended" action={<Back />}>
        It was paid for, and has come to its end since. Choose a plan to go on.
      </Told>
    )
  return (
    <Told
      icon={CircleAlert}
      title={isOwed(subscription) ? 'A payment is owed' : 'This plan is paused'}
      action={<Back>See the plans</Back>}
    >
      Nothing can be deployed or changed at the moment. Your applications keep running.
    </Told>
  )
}

const Back = ({ children = 'Choose a plan' }: { children?: string }) => (
  <ButtonLink to={paths.choosePlan} variant="primary">
    {children}
  </ButtonLink>
)

function NextPayment({ subscription }: { subscription: Subscription }) {
  const { status, trial_ends_at: trialEnd, renews_at: renews } = subscription
  const amount = amountInWords(subscription)
  if (status === 'trialing' && trialEnd !== null)
    return (
      <>
        Your trial goes on until <Day at={trialEnd} />. The first payment{amount && ` of ${amount}`} is made
        then.
      </>
    )
  return (
    renews !== null && (
      <>
        Thank you. The next payment{amount && ` of ${amount}`} is made on <Day at={renews} />.
      </>
    )
  )
}

interface ToldProps {
  icon: LucideIcon
  title: string
  children: ReactNode
  action?: ReactNode
  good?: boolean
  turns?: boolean
}

function Told({ icon: Icon, title, children, action, good, turns }: ToldProps) {
  return (
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
}
