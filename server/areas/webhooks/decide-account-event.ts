import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { renameRepository } from '../applications/source.ts'
import { readInstallationStatus, updateInstallationStatus } from '../integrations/installation-token.ts'
import { findIntegrationByInstallation } from '../integrations/integration.ts'
import { refreshRepository } from '../integrations/repository.ts'
import { type Decision, type Delivery, ignoredDecision } from './delivery.ts'
import { installationPayload, repositoryPayload } from './github-payloads.ts'

const statuses = { deleted: 'removed', suspend: 'suspended', unsuspend: 'active' } as const
const summaries = {
  removed: 'Slipway was removed from the account. Applications keep running but cannot be built.',
  suspended: 'Slipway was suspended for the account. Applications keep running but cannot be built.',
  active: 'Slipway has access to the account again.',
}

export async function decideInstallationEvent(
  ctx: Context,
  delivery: Delivery,
  payload: unknown,
): Promise<Decision[]> {
  const { action } = installationPayload.parse(payload)
  const reported = Object.entries(statuses).find(([name]) => name === action)?.[1]
  if (!reported) return [ignoredDecision(`Installation events with the action ${action} are ignored.`)]
  const { workspace_id, installation_id } = delivery
  const status = await undefinedOnProblem(ctx, delivery, () =>
    readInstallationStatus(ctx, installation_id ?? 0),
  )
  // A redelivery may be outdated, so the current state is fetched.
  const now = status ?? (delivery.redelivery_of ? undefined : reported)
  if (!now) return [ignoredDecision(stateUnknown)]
  await updateInstallationStatus(ctx, workspace_id, installation_id ?? 0, now)
  return [ignoredDecision(summaries[now])]
}

export async function decideRepositoryEvent(
  ctx: Context,
  delivery: Delivery,
  payload: unknown,
): Promise<Decision[]> {
  const { action, repository } = repositoryPayload.parse(payload)
  if (action !== 'renamed' && action !== 'transferred')
    return [ignoredDecision(`Repository events with the action ${action} are ignored.`)]
  const { workspace_id, installation_id } = delivery
  const repositoryRef = { repository_id: repository.id, repository: repository.full_name }
  const integration = await findIntegrationByInstallation(ctx.db, workspace_id, installation_id ?? 0)
  const now =
    integration &&
    (await undefinedOnProblem(ctx, delivery, () => refreshRepository(ctx, integration, repositoryRef)))
  if (!now) return [ignoredDecision(stateUnknown)]
  await renameRepository(ctx.db, workspace_id, repository.id, now.name)
  return [ignoredDecision(`The repository was renamed to ${now.name}. Its applications were updated.`)]
}

const stateUnknown =
  'Slipway could not read the current state from GitHub, so nothing was changed. The next deployment checks it again.'

/** Events can be late, unordered and repeated, so the current state is fetched. A failure must not block the queue. */
async function undefinedOnProblem<T>(
  ctx: Context,
  { id }: Delivery,
  fetchState: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await fetchState()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.warn({ delivery: id, code: error.code }, 'Failed to fetch the current state from GitHub')
    return undefined
  }
}
