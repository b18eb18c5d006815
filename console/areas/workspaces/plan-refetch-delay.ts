import type { Workspace } from './queries.ts'

const hour = 3_600_000
/** The clock of the server may be slightly behind. */
const behind = 5 * 60_000

type Planned = Pick<Workspace, 'billing' | 'trial_ends_at' | 'on_trial' | 'subscription'>

/** Milliseconds until the workspace is refetched, when its plan is due to end; false if it is not. */
export function planRefetchDelay(workspace: Planned | null | undefined, now: number): number | false {
  if (!workspace?.billing) return false
  const { on_trial: onTrial, trial_ends_at: trialEnd, subscription } = workspace
  const ends = [onTrial ? trialEnd : null, subscription?.cancel_at, subscription?.grace_ends_at]
    .flatMap((at) => (at ? [new Date(at).getTime() - now] : []))
    .filter((left) => left > -behind)
  if (ends.length === 0) return false
  const left = Math.min(...ends)
  return left < 0 ? 10_000 : Math.min(left + 1000, hour)
}
