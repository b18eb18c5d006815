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
  removed:
    'Slipway was removed from the account. What is made from its repositories goes on running, but cannot be built.',
  suspended:
    'The access of Slipway to the account was suspended. What runs goes on, but cannot be built meanwhile.',
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
  if (!told) return [ignored(`Slipway has nothing to do when an installation is told to be ${action}.`)]
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
    return [ignored(`Slipway has nothing to do when a repository is ${action}.`)]
  const { workspace_id, installation_id } = delivery
  const known = { repository_id: repository.id, repository: repository.full_name }
  const integration = await findInstalled(ctx.db, workspace_id, installation_id ?? 0)
  const now = integration && (await orUnknown(ctx, delivery, () => lookUp(ctx, integration, known)))
  if (!now) return [ignored(unknown)]
  await renameRepository(ctx.db, workspace_id, repository.id, now.name)
  return [ignored(`The repository is called ${now.name} now, and what is made from it knows.`)]
}

const unknown =
  'GitHub did not say how this stands by now, so nothing was changed. Slipway asks again with the next deployment.'

/** Events can be late, unordered and repeated, so the current state is fetched. A failure must not block the queue. */
async function orUnknown<T>(ctx: Context, { id }: Delivery, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.warn({ delivery: id, code: error.code }, 'GitHub did not say how what it told of stands by now.')
    return undefined
  }
}
