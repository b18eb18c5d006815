import { sql } from 'kysely'
import { z } from 'zod'
import { id, type Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/webhooks.ts'
import type { Area } from '../../area.ts'
import type { Context } from '../../context.ts'
import { deleteInBatches } from '../../platform/db.ts'
import { defineJob, enqueue } from '../../platform/jobs.ts'
import { route, successReply } from '../../route.ts'
import { listeners, reportCommitStatuses } from './commit-statuses.ts'
import { getDelivery, listDeliveries, redeliver } from './read-deliveries.ts'
import { handleDeliveries } from './handle-deliveries.ts'
import { getHook, receiveDeployHook, rotateHook } from './deploy-hook.ts'
import { type IncomingWebhook, receiveGitHub, receiveStripe } from './receive-webhook.ts'
import { requestMissedDeliveries } from './request-missed-deliveries.ts'
import { handleDeliveriesJob } from './delivery.ts'

function receiveWebhook(ctx: Context, hook: string, webhook: IncomingWebhook): Promise<void> {
  if (hook === 'github') return receiveGitHub(ctx, webhook)
  return hook === 'stripe' ? receiveStripe(ctx, webhook) : receiveDeployHook(ctx, hook, webhook)
}

const routes = [
  route(contract.receiveEvent, async (ctx, { caller, params, raw }) => {
    await receiveWebhook(ctx, params.hook, { ...raw, address: caller.address })
    return successReply
  }),
  route(contract.receiveEventBySecret, async (ctx, { caller, params, raw }) => {
    await receiveDeployHook(ctx, params.hook, { ...raw, address: caller.address }, params.secret)
    return successReply
  }),
  route(contract.listDeliveries, (ctx, { caller, query }) => listDeliveries(ctx, caller, query)),
  route(contract.getDelivery, async (ctx, { caller, params }) => ({
    delivery: await getDelivery(ctx, caller, params.id),
  })),
  route(contract.redeliver, async (ctx, { caller, params }) => ({
    delivery: await redeliver(ctx, caller, params.id),
  })),
  route(contract.getHook, async (ctx, { caller, params }) => ({
    hook: await getHook(ctx, caller, params.id),
  })),
  route(contract.rotateHook, async (ctx, { caller, params }) => ({
    hook: await rotateHook(ctx, caller, params.id),
  })),
]

const deliveryRetentionDays = 30
const isExpired = sql`received_at < now() - make_interval(days => ${deliveryRetentionDays})`

const maxDeliveriesPerHook = 1_000

/** Deliveries with the status `waiting` are kept, because they may be in progress. */
const isExcess = sql`status <> 'waiting' and id in (
  select excess.id from hooks h cross join lateral (
    select d.id from deliveries d where d.workspace_id = h.workspace_id and d.application_id = h.application_id
    order by d.id desc offset ${maxDeliveriesPerHook}) as excess)`

/** Deletes deliveries by age, and by number for each hook. */
export async function deleteOldDeliveries({ db }: Pick<Context, 'db'>, signal: AbortSignal): Promise<void> {
  await deleteInBatches(db, 'deliveries', isExpired, signal)
  await deleteInBatches(db, 'deliveries', isExcess, signal)
}

/** Requeues deliveries of all workspaces whose job was given up. */
export async function requeueAbandonedDeliveries({ db, secrets }: Context): Promise<void> {
  const { rows } = await sql<{ workspace_id: Id<'workspace'>; queue: string }>`
    select distinct workspace_id, queue from deliveries d
    where status = 'waiting' and received_at < now() - interval '1 minute'
      and not exists (select from jobs where state in ('queued', 'running')
        and key = 'deliveries:' || d.workspace_id || ':' || d.queue)`.execute(db)
  for (const { workspace_id, queue } of rows)
    await enqueue(secrets, db, handleDeliveriesJob(workspace_id, queue))
}

const queue = z.object({ workspace_id: id('workspace'), queue: z.string() })
const application = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const noPayload = z.object({})

export const jobs = [
  defineJob<Context, typeof queue>('handle-deliveries', queue, (ctx, payload, run) =>
    handleDeliveries(ctx, payload.workspace_id, payload.queue, run),
  ),
  defineJob<Context, typeof application>('tell-commit-statuses', application, (ctx, payload, run) =>
    reportCommitStatuses(ctx, payload.workspace_id, payload.application_id, run),
  ),
  defineJob<Context, typeof noPayload>('tidy-deliveries', noPayload, async (ctx, _payload, { signal }) => {
    await requeueAbandonedDeliveries(ctx)
    await deleteOldDeliveries(ctx, signal)
  }),
  defineJob<Context, typeof noPayload>('ask-for-missed-deliveries', noPayload, (ctx, _payload, { signal }) =>
    requestMissedDeliveries(ctx, signal),
  ),
]

const schedules = [
  {
    name: 'tidy-deliveries',
    everySeconds: 60,
    job: { kind: 'tidy-deliveries', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'ask-for-missed-deliveries',
    everySeconds: 300,
    atStart: true,
    // A retry is not needed: the schedule runs again soon.
    job: { kind: 'ask-for-missed-deliveries', payload: {}, lane: 'poll' as const, attempts: 1 },
  },
]

export const webhooksArea: Area = { name: 'webhooks', routes, jobs, schedules, listeners }
