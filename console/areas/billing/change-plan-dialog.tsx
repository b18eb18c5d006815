import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { navigateTo } from '../../lib/navigate.tsx'
import { ButtonAnchor } from '../../ui/button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { formatMoney } from '../../../contract/shared/money.ts'
import { Notice } from '../../ui/notice.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Day } from '../../ui/time.tsx'
import {
  type Billing,
  type Plan,
  type PlanChange,
  planChangeQuery,
  type Subscription,
  useSubscribe,
} from './queries.ts'
import { formatInterval, isMoreExpensive, planLimitWarnings } from './plan-labels.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { PortalButton } from './billing-buttons.tsx'

interface ChangeDialogProps {
  plan: Plan
  paid: Subscription
  usage: Billing['usage']
  onClose: () => void
}

/** Dialog that shows the cost of a plan change before the saved card is charged. */
export function ChangePlanDialog({ plan, paid, usage, onClose }: ChangeDialogProps) {
  const { name } = plan
  const query = useQuery(planChangeQuery(plan.id))
  const { data: change } = query
  const subscribe = useSubscribe(true)
  const verb = isMoreExpensive(plan, paid) ? 'Upgrade' : 'Change'
  const less = planLimitWarnings(plan.limits, usage)

  async function confirm() {
    const seen = paid.plan ? { expected_plan_id: paid.plan.id } : {}
    const { url } = await subscribe.mutateAsync({ plan_id: plan.id, ...seen })
    onClose()
    if (url === null) return toast.success(`Plan changed to ${name}`)
    toast(`Confirm the payment in Stripe to switch to the ${name} plan.`)
    return navigateTo(url)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${verb} to ${name}?`}
      description={`Replaces ${paid.plan?.name ?? 'your current plan'} immediately.`}
    >
      {subscribe.error && <ChangeRefused error={subscribe.error} />}
      {less.length > 0 && (
        <Notice tone="yellow" title="Your usage exceeds this plan">
          {less.join(' ')}
        </Notice>
      )}
      {change ? (
        <Costs plan={plan} change={change} />
      ) : (
        <QueryFallback
          query={query}
          failed="Could not load price"
          skeleton={<Skeleton className="h-20 w-full" />}
        />
      )}
      {change && paid.cancel_at !== null && (
        <p className="text-muted">Changing the plan also reverses your cancellation.</p>
      )}
      <DialogFooter
        disabled={!change}
        pending={subscribe.isPending && 'Changing plan…'}
        // The mutation shows its error, so the rejection needs no handler.
        onClick={() => void confirm().catch(() => undefined)}
      >
        {change && change.due_now > 0
          ? `${verb} and pay ${formatMoney(change.due_now, change.currency)}`
          : `${verb} to ${name}`}
      </DialogFooter>
    </Dialog>
  )
}

function Costs({ plan, change }: { plan: Plan; change: PlanChange }) {
  const { currency, due_now: due, credit, next_amount: next, next_at: at } = change
  return (
    <DefinitionList
      dense
      items={[
        { term: 'Now', value: due > 0 ? `${formatMoney(due, currency)}, including tax` : 'Nothing' },
        ...(credit > 0
          ? [{ term: 'Credit', value: `${formatMoney(credit, currency)}, applied to future payments` }]
          : []),
        {
          term: 'Then',
          value: (
            <>
              {formatMoney(next, currency)} {formatInterval(plan)}, first on <Day at={at} />
            </>
          ),
        },
      ]}
    />
  )
}

function ChangeRefused({ error }: { error: Error }) {
  const [code, url] = error instanceof ApiError ? [error.code, error.url] : []
  return (
    <div role="alert">
      <Notice
        tone="red"
        title="Could not change plan"
        action={
          code === 'payment_failed' ? (
            <PortalButton>Update card</PortalButton>
          ) : (
            code === 'payment_due' && url !== undefined && <ButtonAnchor href={url}>Pay now</ButtonAnchor>
          )
        }
      >
        {error.message}
      </Notice>
    </div>
  )
}
