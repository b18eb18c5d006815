import { sql } from 'kysely'
import type { EventType } from '../../../contract/shared/events.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { deleteInBatches } from '../../platform/db.ts'
import type { EmailMessage } from '../../platform/mailer.ts'
import { transaction } from '../../platform/transaction.ts'
import type { MailRecipient } from '../auth/mails.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'
import { grantsAccess, graceEndsAt } from '../workspaces/subscription-status.ts'
import { graceEndedMail, type MailWorkspace, mailOwners, trialEndedMail, trialEndingMail } from './mails.ts'
import { createReconcileRunner } from './reconcile.ts'
import { stripeInitiator } from './stripe.ts'
import { lockExistingWorkspace, listDueForSync, recordNotice } from './store.ts'
import { planTarget } from './plans.ts'
import { syncBilling } from './sync-billing.ts'
import { formatDay } from './billing-events.ts'
import { withBillingMutex } from './billing-mutex.ts'

const trialNoticeMs = 3 * 86_400_000

interface WatchedWorkspace {
  id: Id<'workspace'>
  name: string
  trial_ends_at: Date
  plan_id: string | null
  stripe_status: string | null
  past_due_since: Date | null
}

interface Notice {
  kind: string
  about: Date
  type: EventType
  detail?: string
  target: { kind: string; id: string; name: string }
  mail: (ctx: Context, to: MailRecipient, workspace: MailWorkspace) => EmailMessage
}

/** Dunning: reminds owners of ending trials and overdue payments, once each. */
export async function sendBillingNotices(ctx: Context, signal: AbortSignal): Promise<void> {
  if (!isBillingOn(ctx.config)) return
  try {
    await syncDueWorkspaces(ctx, signal)
  } finally {
    await sendNotices(ctx, signal)
  }
}

async function syncDueWorkspaces(ctx: Context, signal: AbortSignal): Promise<void> {
  const each = createReconcileRunner(ctx, signal)
  for (const { workspace_id: workspace } of await listDueForSync(ctx.db, ctx.now()))
    await each({ workspace }, () =>
      withBillingMutex(ctx, workspace, () => syncBilling(ctx, workspace, stripeInitiator)),
    )
}

async function sendNotices(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const one of await listWatched(ctx)) {
    signal.throwIfAborted()
    const notice = findNotice(ctx, one)
    if (notice) await sendNoticeOnce(ctx, one, notice)
  }
  await deleteInBatches(ctx.db, 'stripe_events', sql`received_at < now() - interval '30 days'`, signal)
  await deleteInBatches(ctx.db, 'departed_customers', sql`ended_at > left_at + interval '30 days'`, signal)
}

/** Excludes workspaces created after the trial of their owner, since they never had one. */
async function listWatched(ctx: Context): Promise<WatchedWorkspace[]> {
  const { rows } = await sql<WatchedWorkspace>`
    select w.id, w.name, w.trial_ends_at, s.plan_id, s.stripe_status, s.past_due_since
    from workspaces w left join subscriptions s on s.workspace_id = w.id
    where s.stripe_status = 'past_due'
      or s.stripe_status is null and w.created_at < w.trial_ends_at and w.trial_ends_at < ${new Date(ctx.now().getTime() + trialNoticeMs)}::timestamptz
        and not exists (select from billing_notices n where n.workspace_id = w.id
          and n.kind = 'trial_ended' and n.about = ${toIsoColumn(sql`w.trial_ends_at`)})
    order by w.id`.execute(ctx.db)
  return rows
}

const toIsoColumn = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function findNotice(ctx: Context, one: WatchedWorkspace): Notice | undefined {
  const now = ctx.now()
  if (one.stripe_status === 'past_due') {
    const grace = graceEndsAt(one)
    if (!grace || !one.past_due_since || grantsAccess(one, now)) return undefined
    return {
      kind: 'grace_ended',
      about: one.past_due_since,
      type: 'billing.grace_ended',
      target: planTarget(ctx, one),
      mail: graceEndedMail,
    }
  }
  const target = { kind: 'workspace', id: one.id, name: one.name }
  const about = one.trial_ends_at
  if (about <= now)
    return { kind: 'trial_ended', about, type: 'billing.trial_ended', target, mail: trialEndedMail }
  return {
    kind: 'trial_ending',
    about,
    type: 'billing.trial_ending',
    detail: `The trial ends on ${formatDay(about)}.`,
    target,
    mail: (context, to, workspace) => trialEndingMail(context, to, workspace, about),
  }
}

const sendNoticeOnce = (
  ctx: Context,
  { id }: WatchedWorkspace,
  { kind, about, type, detail, target, mail }: Notice,
) =>
  transaction(ctx.db, async (trx) => {
    if (!(await lockExistingWorkspace(trx, id)) || !(await recordNotice(trx, id, kind, about.toISOString())))
      return
    await emit(trx, 'slipway', id, type, target, detail)
    await mailOwners(ctx, trx, id, (to, workspace) => mail(ctx, to, workspace))
  })
