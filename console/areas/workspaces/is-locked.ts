import { hasPlan } from '../../../contract/shared/has-plan.ts'
import type { Workspace } from './queries.ts'

type Planned = Pick<Workspace, 'billing' | 'on_trial' | 'subscription'>

/** Returns whether the workspace has no plan, so that only the plan pages are accessible. */
export const isLocked = (workspace: Planned) => workspace.billing && !hasPlan(workspace)

type WorkspaceBilling = Pick<Workspace, 'created_at' | 'trial_ends_at' | 'subscription'>

/** Returns whether the workspace was created after its owner's trial and never had a plan. */
export const wasLockedAtCreation = ({
  created_at: made,
  trial_ends_at: end,
  subscription,
}: WorkspaceBilling) => subscription === null && end !== null && new Date(made) >= new Date(end)
