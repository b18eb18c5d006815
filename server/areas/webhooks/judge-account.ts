import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { renameRepository } from '../applications/rename-repository.ts'
import { followInstallation } from '../integrations/follow-installation.ts'
import { readInstallationStatus } from '../integrations/installation-status.ts'
import { lookUp } from '../integrations/repository.ts'
import { findInstalled } from './candidates.ts'
import { ofInstallation, ofRepository } from './payloads.ts'
import type { Delivery } from './store.ts'
import { ignored, type Verdict } from './verdict.ts'

const statuses = { deleted: 'removed', suspend: 'suspended', unsuspend: 'active' } as const
const says = {
  removed: 'Slipway was removed from the account. Applications keep running but cannot be built.',
  suspended: 'Slipway was suspended for the account. Applications keep running but cannot be built.',
  active: 'Slipway has access to the account again.',
}

/** Handles changes of an installation. */
export async function judgeInstallation(
  ctx: Context,
  delivery: Delivery,
  payload: unknown,
): Promise<Verdict[]> {
  const { action } = ofInstallation.parse(payload)
  const told = Object.entries(statuses).find(([name]) => name === action)?.[1]
  if (!told) return [ignored(`The installation event ${action} is ignored.`)]
  const { workspace_id, installation_id } = delivery
  const status = await orUnknown(ctx, delivery, () => readInstallationStatus(ctx, installation_id ?? 0))
  // A redelivery may be outdated, so the current state is fetched.
  const now = status ?? (delivery.redelivery_of ? undefined : told)
  if (!now) return [ignored(unknown)]
  await followInstallation(ctx, workspace_id, installation_id ?? 0, now)
  return [ignored(says[now])]
}

/** Handles renames of a repository. */
export async function judgeRepository(
  ctx: Context,
  delivery: Delivery,
  payload: unknown,
): Promise<Verdict[]> {
  const { action, repository } = ofRepository.parse(payload)
  if (action !== 'renamed' && action !== 'transferred')
    return [ignored(`The repository event ${action} is ignored.`)]
  const { workspace_id, installation_id } = delivery
  const known = { repository_id: repository.id, repository: repository.full_name }
  const integration = await findInstalled(ctx.db, workspace_id, installation_id ?? 0)
  const now = integration && (await orUnknown(ctx, delivery, () => lookUp(ctx, integration, known)))
  if (!now) return [ignored(unknown)]
  await renameRepository(ctx.db, workspace_id, repository.id, now.name)
  return [ignored(`The repository was renamed to ${now.name}. Its applications were updated.`)]
}

const unknown =
  'GitHub did not return the current state, so nothing was changed. Slipway checks again at the next deployment.'

/** Events can be late, unordered and repeated, so the current state is fetched. A failure must not block the queue. */
async function orUnknown<T>(ctx: Context, { id }: Delivery, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.warn({ delivery: id, code: error.code }, 'Failed to fetch the current state from GitHub')
    return undefined
  }
}
