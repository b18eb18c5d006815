import { ApiError } from '../../lib/http/api-error.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { DeploymentPlan } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

type Action = DeploymentPlan['services'][number]['action']

const actions: Record<Action, [tone: Tone, word: string, means: string]> = {
  rolled: ['green', 'Rolling update', 'Zero downtime'],
  recreated: ['yellow', 'Recreated', 'Downtime: old containers stop before new ones start'],
  unchanged: ['neutral', 'Unchanged', ''],
  added: ['green', 'Added', ''],
  removed: ['red', 'Removed', 'Containers are removed, volumes are kept'],
}

export const actionLabel = (action: Action) => actions[action]

const order: readonly Action[] = ['recreated', 'removed', 'rolled', 'added', 'unchanged']

export function planSummary(services: readonly { action: Action }[]): string {
  const counts = order.map(
    (action) => [action, services.filter((service) => service.action === action).length] as const,
  )
  const parts = counts.flatMap(([action, count]) => (count === 0 ? [] : [formatActionCount(action, count)]))
  return parts.length === 0 ? 'No services' : parts.join(', ')
}

/** Only “rolling update” is a noun and has a plural; the other labels are adjectives. */
function formatActionCount(action: Action, count: number): string {
  const label = actions[action][1].toLowerCase()
  return action === 'rolled' ? formatCount(count, label) : `${count} ${label}`
}

export function planBlocker(plan: DeploymentPlan): string | undefined {
  if (plan.problems.length > 0) return 'Fix the problems above to deploy.'
  return plan.refusal ?? undefined
}

/** A deployment can wait for an unreachable server, so it is allowed without a plan. */
export const canDeployWithoutPlan = (error: Error) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
