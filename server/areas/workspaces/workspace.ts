import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { updateWorkspace as contract, workspace } from '../../../contract/workspaces.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound } from '../../errors.ts'
import { emit, recordInstanceEvent } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor, User } from '../../route.ts'
import { setCurrentWorkspace } from '../auth/session.ts'
import { startTrialOnce } from '../auth/user.ts'
import type { Db, Trx } from '../../tables.ts'
import { assertWorkspaceLimit } from './operator-limits.ts'
import { workspaceHasApplications, workspaceHasPendingServers } from './workspace-errors.ts'
import {
  deleteApplicationRows,
  deleteWorkspaceRow,
  findMembership,
  hasLocalServer,
  insertMember,
  insertWorkspace,
  listMemberships,
  listPendingServers,
  listWorkspaceApplicationNames,
  lockWorkspace,
  type MembershipRow,
  updateWorkspaceRow,
} from './store.ts'
import { toPlanAccess } from './plan-access.ts'
import { sql } from 'kysely'
import { enqueue } from '../../platform/jobs.ts'

export const trialMs = 14 * 86_400_000

function presentWorkspace(ctx: Context, row: MembershipRow): z.input<typeof workspace> {
  const { onTrial, trialEndsAt, subscription, billing } = toPlanAccess(ctx.config, row, ctx.now())
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    shell_access: row.shell_access,
    on_trial: onTrial,
    trial_ends_at: trialEndsAt?.toISOString() ?? null,
    subscription,
    billing,
    locked: row.locked_at !== null,
    created_at: row.created_at.toISOString(),
  }
}

export async function listWorkspaces(ctx: Context, person: User, query: PageQuery) {
  // An API token has access to one workspace only.
  const only = person.via.kind === 'session' ? undefined : person.workspace?.id
  const { rows, page } = await listMemberships(ctx.db, person.user.id, only, query)
  return { workspaces: rows.map((row) => presentWorkspace(ctx, row)), page }
}

export async function getWorkspace(ctx: Context, userId: Id<'user'>, workspaceId: Id<'workspace'>) {
  const row = await findMembership(ctx.db, userId, workspaceId)
  if (!row) throw notFound('This workspace')
  return presentWorkspace(ctx, row)
}

type WorkspaceCreator = { user: User['user']; address: string }

/** Creates a workspace owned by this user. Further workspaces do not get another trial. */
export async function insertWorkspaceFor(
  ctx: Context,
  db: Trx,
  founder: WorkspaceCreator,
  name: string,
): Promise<Id<'workspace'>> {
  const id = newId('workspace')
  const trial_ends_at = await startTrialOnce(db, founder.user.id, new Date(ctx.now().getTime() + trialMs))
  await insertWorkspace(db, { id, name, trial_ends_at })
  await insertMember(db, { id: newId('member'), workspace_id: id, user_id: founder.user.id, role: 'owner' })
  await emit(db, founder, id, 'workspace.created', { kind: 'workspace', id, name })
  return id
}

export async function createWorkspace(ctx: Context, person: User, name: string) {
  const id = await transaction(ctx.db, async (trx) => {
    await assertWorkspaceLimit(ctx, trx, person.user.id)
    const created = await insertWorkspaceFor(ctx, trx, person, name)
    await setSessionWorkspace(trx, person, created)
    return created
  })
  return getWorkspace(ctx, person.user.id, id)
}

/** Remembers the current workspace in the session. */
export async function switchWorkspace(ctx: Context, person: User, id: Id<'workspace'>) {
  const workspace = await getWorkspace(ctx, person.user.id, id)
  await setSessionWorkspace(ctx.db, person, id)
  return workspace
}

export async function setSessionWorkspace(db: Db, person: User, id: Id<'workspace'>): Promise<void> {
  if (person.via.kind === 'session') await setCurrentWorkspace(db, person.via.id, id)
}

type Changes = z.output<typeof contract.body>

export async function updateWorkspace(ctx: Context, actor: Actor, { name, shell_access: shell }: Changes) {
  const { id } = actor.workspace
  await transaction(ctx.db, async (trx) => {
    const before = await lockWorkspace(trx, id)
    if (!before) throw notFound('This workspace')
    const target = { kind: 'workspace', id, name: name ?? before.name }
    if (name !== undefined) {
      await updateWorkspaceRow(trx, id, { name })
      await emit(trx, actor, id, 'workspace.renamed', target)
    }
    if (shell !== undefined && shell !== before.shell_access) {
      await updateWorkspaceRow(trx, id, { shell_access: shell })
      await emit(trx, actor, id, 'workspace.shell_access_changed', target, `to ${shell}`)
    }
  })
  ctx.accessCache.clear()
  return getWorkspace(ctx, actor.user.id, id)
}

export const deleteWorkspace = (ctx: Context, actor: Actor, name: string) =>
  deleteNamedWorkspace(ctx, actor, actor.workspace.id, name)

interface OperatorDeletion {
  /** Runs in the transaction that deletes the workspace. */
  record(trx: Trx): Promise<void>
}

/**
 * Deletes a workspace. Members of a locked workspace cannot delete its applications, so an instance owner may delete it
 * with them; their containers keep running.
 */
export async function deleteNamedWorkspace(
  ctx: Context,
  person: User,
  id: Id<'workspace'>,
  name: string,
  byOperator?: OperatorDeletion,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const existing = await lockWorkspace(trx, id)
    if (!existing) throw notFound('This workspace')
    if (existing.name !== name)
      throw new Invalid({ name: [`Type the workspace name, ${existing.name}, to delete it.`] })
    const applications = await listWorkspaceApplicationNames(trx, id)
    const isAbandoned = byOperator !== undefined && existing.locked_at !== null
    if (applications.length > 0 && !isAbandoned) throw workspaceHasApplications(name, applications)
    const servers = await listPendingServers(trx, id)
    if (servers.length > 0) throw workspaceHasPendingServers(name, servers)
    const target = { kind: 'workspace', id, name }
    // The event row is deleted with the workspace, but open consoles still receive it.
    await emit(trx, person, id, 'workspace.deleted', target)
    // Deleting the workspace turns off This machine until an instance owner turns it on again.
    if (await hasLocalServer(trx, id)) await recordInstanceEvent(trx, person, 'local_server.disabled', target)
    await byOperator?.record(trx)
    await endSubscription(ctx, trx, id)
    await deleteApplicationRows(trx, id)
    await deleteWorkspaceRow(trx, id)
  })
  ctx.log.info({ workspace: id, by: person.user.id }, 'Deleted a workspace')
}

/** Ends the subscription of a deleted workspace. A job retries this while Stripe is unreachable. */
async function endSubscription(ctx: Context, trx: Trx, workspaceId: Id<'workspace'>): Promise<void> {
  const { rows } = await sql<{ customer_id: string }>`
    insert into departed_customers (customer_id, left_at)
    select customer_id, ${ctx.now()}::timestamptz from subscriptions where workspace_id = ${workspaceId}
    returning customer_id`.execute(trx)
  for (const { customer_id } of rows) await requestSubscriptionEnd(ctx, trx, customer_id)
}

export const requestSubscriptionEnd = (ctx: Context, db: Db, customer: string) =>
  enqueue(ctx.secrets, db, {
    kind: 'end-subscription',
    payload: { customer_id: customer },
    key: `billing:${customer}`,
    attempts: 200,
  })
