import { z } from 'zod'
import type { Context } from '../../context.ts'
import { findApplication } from '../applications/application.ts'
import { isWorkspaceLocked, noPlanReason, readPlanAccess } from '../workspaces/plan-access.ts'
import { decidePush } from './decide-push.ts'
import { findIntegrationByInstallation } from '../integrations/integration.ts'
import { type Decision, failedDecision, ignoredDecision, openPayload, type Delivery } from './delivery.ts'
import { Problem } from '../../errors.ts'
import { renameRepository } from '../applications/source.ts'
import { readInstallationStatus, updateInstallationStatus } from '../integrations/installation-token.ts'
import { refreshRepository } from '../integrations/repository.ts'
import { installationPayload, repositoryPayload } from './github-payloads.ts'

export async function decideDelivery(ctx: Context, delivery: Delivery): Promise<Decision[]> {
  const decisions = await decideByKind(ctx, delivery)
  if (!decisions.some(({ request }) => request)) return decisions
  if (await isWorkspaceLocked(ctx.db, delivery.workspace_id))
    return ignoreDeployments(
      decisions,
      'The workspace is locked, so nothing was deployed. Redeliver after it is unlocked.',
    )
  const { allowed, subscription } = await readPlanAccess(ctx, ctx.db, delivery.workspace_id)
  if (allowed) return decisions
  const reason = `${noPlanReason(subscription)}, so nothing was deployed. Choose a plan, then redeliver.`
  return ignoreDeployments(decisions, reason)
}

const ignoreDeployments = (decisions: Decision[], reason: string) =>
  decisions.map((decision) => (decision.request ? ignoredDecision(reason, decision.application) : decision))

async function decideByKind(ctx: Context, delivery: Delivery): Promise<Decision[]> {
  if (delivery.hook === 'deploy') return decideDeployHook(ctx, delivery)
  try {
    const payload: unknown = JSON.parse(openPayload(ctx, delivery))
    if (delivery.event === 'push') return await decidePush(ctx, delivery, payload)
    if (delivery.event === 'installation') return await decideInstallationEvent(ctx, delivery, payload)
    if (delivery.event === 'repository') return await decideRepositoryEvent(ctx, delivery, payload)
    return [ignoredDecision(`Events of type ${delivery.event} are ignored.`)]
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    return [failedDecision(`Invalid ${delivery.event} event: unexpected format. The event was ignored.`)]
  }
}

async function decideDeployHook(ctx: Context, delivery: Delivery): Promise<Decision[]> {
  const { workspace_id, application_id, sender, headers } = delivery
  // GitHub sends a ping when a webhook is created, Bitbucket when a connection is tested.
  if (headers['x-github-event'] === 'ping' || headers['x-event-key'] === 'diagnostics:ping')
    return [ignoredDecision('The webhook works. A ping does not deploy anything.')]
  const application = application_id && (await findApplication(ctx.db, workspace_id, application_id))
  if (!application || application.deleting_at) return [ignoredDecision('The application is being deleted.')]
  return [
    {
      application: { id: application.id, name: application.name },
      status: 'deployed',
      summary: 'Deployment requested.',
      request: {
        initiator: { name: 'Deploy hook', via: 'webhook', address: sender },
        deployment: {
          type: application.source_type === 'github' ? 'build_application' : 'deploy_application',
        },
        label: 'a newer call',
      },
    },
  ]
}

const statuses = { deleted: 'removed', suspend: 'suspended', unsuspend: 'active' } as const
const summaries = {
  removed: 'Slipway was removed from the account. Applications keep running but cannot be built.',
  suspended: 'Slipway was suspended for the account. Applications keep running but cannot be built.',
  active: 'Slipway has access to the account again.',
}

async function decideInstallationEvent(
  ctx: Context,
  delivery: Delivery,
  payload: unknown,
): Promise<Decision[]> {
  const { action } = installationPayload.parse(payload)
  const reported = Object.entries(statuses).find(([name]) => name === action)?.[1]
  if (!reported) return [ignoredDecision(`The installation event ${action} is ignored.`)]
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

async function decideRepositoryEvent(
  ctx: Context,
  delivery: Delivery,
  payload: unknown,
): Promise<Decision[]> {
  const { action, repository } = repositoryPayload.parse(payload)
  if (action !== 'renamed' && action !== 'transferred')
    return [ignoredDecision(`The repository event ${action} is ignored.`)]
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
  'GitHub did not return the current state, so nothing was changed. Slipway checks again at the next deployment.'

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
