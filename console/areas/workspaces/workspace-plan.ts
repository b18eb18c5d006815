import { hasPlan } from '../../../contract/shared/has-plan.ts'
import type { Workspace } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

type Planned = Pick<Workspace, 'on_trial' | 'trial_ends_at' | 'subscription'>

/** Returns the plan label of the sidebar. A subscription that matches no plan is labeled “Custom”. */
export function planLabel(workspace: Planned): string {
  if (workspace.on_trial) return 'Trial Plan'
  if (!hasPlan(workspace)) return 'No plan'
  return `${workspace.subscription?.plan_name ?? 'Custom'} Plan`
}

interface PlanNote {
  text: string
  urgent: boolean
}

export function planNote(workspace: Planned, now: number): PlanNote | undefined {
  const { on_trial: onTrial, trial_ends_at: trialEnd, subscription } = workspace
  if (onTrial) return trialEnd === null ? undefined : trialNote(new Date(trialEnd), now)
  if (!subscription || !hasPlan(workspace)) return undefined
  if (subscription.grace_ends_at !== null) return { text: 'payment due', urgent: true }
  if (subscription.cancel_at === null) return undefined
  return { text: `ends ${day.format(new Date(subscription.cancel_at))}`, urgent: false }
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** Returns the note on a trial. Calendar days count, so a trial that ends tomorrow morning does not end today. */
function trialNote(end: Date, now: number): PlanNote {
  const left = Math.round((midnight(end) - midnight(new Date(now))) / 86_400_000)
  if (left <= 0) return { text: 'ends today', urgent: true }
  return { text: `${formatCount(left, 'day')} left`, urgent: left <= 3 }
}

const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()

/** Returns whether the workspace has no plan. Only the plan pages are then accessible. */
export const isLocked = (workspace: Pick<Workspace, 'billing' | 'on_trial' | 'subscription'>) =>
  workspace.billing && !hasPlan(workspace)

type WorkspaceBilling = Pick<Workspace, 'created_at' | 'trial_ends_at' | 'subscription'>

/** Returns whether the workspace never had a plan, because it was created after its owner's trial. */
export const wasLockedAtCreation = ({
  created_at: made,
  trial_ends_at: end,
  subscription,
}: WorkspaceBilling) => subscription === null && end !== null && new Date(made) >= new Date(end)

const hour = 3_600_000
/** Tolerance for a server clock that is slightly behind. */
const behind = 5 * 60_000

type PlanDates = Pick<Workspace, 'billing' | 'trial_ends_at' | 'on_trial' | 'subscription'>

/**
 * Returns the milliseconds until the workspace must be refetched because its plan is due to end, or false if it is not.
 */
export function planRefetchDelay(workspace: PlanDates | null | undefined, now: number): number | false {
  if (!workspace?.billing) return false
  const { on_trial: onTrial, trial_ends_at: trialEnd, subscription } = workspace
  const ends = [onTrial ? trialEnd : null, subscription?.cancel_at, subscription?.grace_ends_at]
    .flatMap((at) => (at ? [new Date(at).getTime() - now] : []))
    .filter((left) => left > -behind)
  if (ends.length === 0) return false
  const left = Math.min(...ends)
  return left < 0 ? 10_000 : Math.min(left + 1000, hour)
}
