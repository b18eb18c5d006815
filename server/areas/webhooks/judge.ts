import { z } from 'zod'
import type { Context } from '../../context.ts'
import { findApplication } from '../applications/application.ts'
import { isWorkspaceLocked } from '../workspaces/lock.ts'
import { whyNoPlan } from '../workspaces/refusals.ts'
import { readStanding } from '../workspaces/standing.ts'
import { judgeInstallation, judgeRepository } from './judge-account.ts'
import { judgePush } from './judge-push.ts'
import { payloadOf } from './payload.ts'
import type { Delivery } from './store.ts'
import { failed, ignored, type Verdict } from './verdict.ts'

/** Decides what a delivery does. Must be idempotent. */
export async function judge(ctx: Context, delivery: Delivery): Promise<Verdict[]> {
  const verdicts = await judgeByKind(ctx, delivery)
  if (!verdicts.some(({ asks }) => asks)) return verdicts
  if (await isWorkspaceLocked(ctx.db, delivery.workspace_id))
    return refuse(
      verdicts,
      'The workspace is locked, so nothing was deployed. Redeliver after it is unlocked.',
    )
  const { allowed, subscription } = await readStanding(ctx, ctx.db, delivery.workspace_id)
  if (allowed) return verdicts
  const why = `${whyNoPlan(subscription)}, so nothing was deployed. Choose a plan, then redeliver.`
  return refuse(verdicts, why)
}

const refuse = (verdicts: Verdict[], why: string) =>
  verdicts.map((one) => (one.asks ? ignored(why, one.application) : one))

async function judgeByKind(ctx: Context, delivery: Delivery): Promise<Verdict[]> {
  if (delivery.hook === 'deploy') return judgeDeploy(ctx, delivery)
  try {
    const payload: unknown = JSON.parse(payloadOf(ctx, delivery))
    if (delivery.event === 'push') return await judgePush(ctx, delivery, payload)
    if (delivery.event === 'installation') return await judgeInstallation(ctx, delivery, payload)
    if (delivery.event === 'repository') return await judgeRepository(ctx, delivery, payload)
    return [ignored(`Events of type ${delivery.event} are ignored.`)]
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    return [failed(`Invalid ${delivery.event} event: unexpected format. Nothing was done.`)]
  }
}

async function judgeDeploy(ctx: Context, delivery: Delivery): Promise<Verdict[]> {
  const { workspace_id, application_id, sender } = delivery
  const found = application_id && (await findApplication(ctx.db, workspace_id, application_id))
  if (!found || found.deleting_at) return [ignored('The application is being deleted.')]
  return [
    {
      application: { id: found.id, name: found.name },
      status: 'deployed',
      summary: 'Deployment requested.',
      asks: {
        doer: { name: 'Deploy hook', via: 'webhook', address: sender },
        wanted: { type: found.source_type === 'github' ? 'build_application' : 'deploy_application' },
        what: 'a newer call',
      },
    },
  ]
}
