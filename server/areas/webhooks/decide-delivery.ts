import { z } from 'zod'
import type { Context } from '../../context.ts'
import { findApplication } from '../applications/application.ts'
import { isWorkspaceLocked } from '../workspaces/lock.ts'
import { noPlanReason } from '../workspaces/workspace-errors.ts'
import { readPlanAccess } from '../workspaces/plan-access.ts'
import { decideInstallationEvent, decideRepositoryEvent } from './decide-account-event.ts'
import { decidePush } from './decide-push.ts'
import { openPayload } from './payload.ts'
import type { Delivery } from './store.ts'
import { failedDecision, ignoredDecision, type Decision } from './decision.ts'

/** Decides what a delivery does. Must be idempotent. */
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
    return [failedDecision(`Invalid ${delivery.event} event: unexpected format. Nothing was done.`)]
  }
}

async function decideDeployHook(ctx: Context, delivery: Delivery): Promise<Decision[]> {
  const { workspace_id, application_id, sender } = delivery
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
