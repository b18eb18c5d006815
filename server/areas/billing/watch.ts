import { sql } from 'kysely'
import type { EventType } from '../../../contract/shared/events.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { deleteInBatches } from '../../platform/delete-in-batches.ts'
import type { EmailMessage } from '../../platform/mailer.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Addressee } from '../auth/mails.ts'
import { givesAccess, graceEndsAt, isPaidFor } from '../workspaces/standing.ts'
import { graceEndedMail, type Named, tellOwners, trialEndedMail, trialEndingMail } from './mails.ts'
import { oneByOne } from './one-by-one.ts'
import { byStripe } from './status.ts'
import { holdWorkspace, listOverdue, noteTold } from './store.ts'
import { sync, targetOf } from './sync.ts'
import { dayOf } from './told.ts'
import { underBillingLock } from './under-lock.ts'

const soon = 3 * 86_400_000

interface Watched {
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
  mail: (ctx: Context, to: Addressee, workspace: Named) => EmailMessage
}

/** Sends time-based notices, after syncing workspaces with outdated state. */
export async function watchBilling(ctx: Context, signal: AbortSignal): Promise<void> {
  if (!isPaidFor(ctx.config)) return
  try {
    await syncOverdue(ctx, signal)
  } finally {
    await tellAll(ctx, signal)
  }
}

async function syncOverdue(ctx: Context, signal: AbortSignal): Promise<void> {
  const each = oneByOne(ctx, signal)
  for (const { workspace_id: workspace } of await listOverdue(ctx.db, ctx.now()))
    await each({ workspace }, () => underBillingLock(ctx, workspace, () => sync(ctx, workspace, byStripe)))
}

async function tellAll(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const one of await listWatched(ctx)) {
    signal.throwIfAborted()
    const notice = noticeOf(ctx, one)
    if (notice) await tellOnce(ctx, one, notice)
  }
  await deleteInBatches(ctx.db, 'stripe_events', sql`received_at < now() - interval '30 days'`, signal)
  await deleteInBatches(ctx.db, 'departed_customers', sql`ended_at > left_at + interval '30 days'`, signal)
}

/**
 * Workspaces whose trial ends or has ended without a plan, or with an overdue payment. Workspaces created after the trial of their owner are excluded.
 */
async function listWatched(ctx: Context): Promise<Watched[]> {
  const { rows } = await sql<Watched>`
    select w.id, w.name, w.trial_ends_at, s.plan_id, s.stripe_status, s.past_due_since
    from workspaces w left join subscriptions s on s.workspace_id = w.id
    where s.stripe_status = 'past_due'
      or s.stripe_status is null and w.created_at < w.trial_ends_at and w.trial_ends_at < ${new Date(ctx.now().getTime() + soon)}::timestamptz
        and not exists (select from billing_notices n where n.workspace_id = w.id
          and n.kind = 'trial_ended' and n.about = ${aboutOf(sql`w.trial_ends_at`)})
    order by w.id`.execute(ctx.db)
  return rows
}

const aboutOf = (column: ReturnType<typeof sql>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function noticeOf(ctx: Context, one: Watched): Notice | undefined {
  const now = ctx.now()
  if (one.stripe_status === 'past_due') {
    const grace = graceEndsAt(one)
    if (!grace || !one.past_due_since || givesAccess(one, now)) return undefined
    return {
      kind: 'grace_ended',
      about: one.past_due_since,
      type: 'billing.grace_ended',
      target: targetOf(ctx, one),
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
    detail: `It ends on ${dayOf(about)}.`,
    target,
    mail: (context, to, workspace) => trialEndingMail(context, to, workspace, about),
  }
}

const tellOnce = (ctx: Context, { id }: Watched, { kind, about, type, detail, target, mail }: Notice) =>
  transaction(ctx.db, async (trx) => {
    if (!(await holdWorkspace(trx, id)) || !(await noteTold(trx, id, kind, about.toISOString()))) return
    await emit(trx, 'slipway', id, type, target, detail)
    await tellOwners(ctx, trx, id, (to, workspace) => mail(ctx, to, workspace))
  })
