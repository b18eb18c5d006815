import { hasPlan } from '../../../contract/shared/has-plan.ts'
import type { Workspace } from './queries.ts'

type Planned = Pick<Workspace, 'billing' | 'on_trial' | 'subscription'>

/** Only the way to a plan is open. */
export const isLocked = (workspace: Planned) => workspace.billing && !hasPlan(workspace)

type Made = Pick<Workspace, 'created_at' | 'trial_ends_at' | 'subscription'>

/** It was made by somebody whose trial was over by then, and never had a plan. */
export const isBornLocked = ({ created_at: made, trial_ends_at: end, subscription }: Made) =>
  subscription === null && end !== null && new Date(made) >= new Date(end)
