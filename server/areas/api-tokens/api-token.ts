import type { z } from 'zod'
import type { apiToken, createApiToken as contract } from '../../../contract/api-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { isRoleAtLeast } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { toMailSafeName } from '../../platform/text/plain-text.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import { type Actor, hasPermission } from '../../route.ts'
import {
  type ApiTokenRow,
  deleteApiTokenRow,
  getApiTokenRow,
  insertApiToken,
  listApiTokenRows,
  listExistingIds,
} from './store.ts'

const present = (row: ApiTokenRow): z.input<typeof apiToken> => ({
  id: row.id,
  name: row.name,
  user: { id: row.user_id, name: row.user_name, email: row.user_email },
  role: row.role,
  scope: row.scope,
  projects: row.projects,
  applications: row.applications,
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

type NewToken = z.output<(typeof contract)['body']>

export async function createApiToken(ctx: Context, actor: Actor, given: NewToken) {
  const { name, scope, projects, applications, role = actor.workspace.role } = given
  const expires = given.expires_at ? new Date(given.expires_at) : null
  if (expires && expires <= ctx.now())
    throw new Invalid({ expires_at: ['The expiry must be in the future.'] })
  if (!isRoleAtLeast(actor.workspace.role, role))
    throw new Invalid({ role: ['Must not be higher than your own role.'] })
  const token = newToken('slt')
  const row = await transaction(ctx.db, async (trx) => {
    const [id, workspaceId] = [newId('apiToken'), actor.workspace.id]
    for (const [table, ids = []] of [
      ['projects', projects],
      ['applications', applications],
    ] as const)
      if ((await listExistingIds(trx, workspaceId, table, ids)).length < new Set(ids).size)
        throw new Invalid({ [table]: [`One of these ${table} does not exist in this workspace.`] })
    await insertApiToken(trx, {
      id,
      workspace_id: workspaceId,
      user_id: actor.user.id,
      name,
      role,
      token_hash: hashToken(token),
      expires_at: expires,
      scope,
      projects: projects ?? null,
      applications: applications ?? null,
    })
    const target = { kind: 'api_token', id, name }
    await emit(trx, actor, workspaceId, 'api_token.created', target, `with the scope ${scope}`)
    await recordAccountEvent(ctx, trx, {
      user: actor.user.id,
      type: 'api_token.created',
      by: actor,
      detail: `${toMailSafeName(name, 'a token')}, scope ${scope}`,
    })
    return getApiTokenRow(trx, workspaceId, id)
  })
  return { api_token: present(row), token }
}

export async function listApiTokens(ctx: Context, actor: Actor, whose: 'own' | 'all', query: PageQuery) {
  const owner = whose === 'own' ? actor.user.id : undefined
  const { rows, page } = await listApiTokenRows(ctx.db, actor.workspace.id, owner, query)
  return { api_tokens: rows.map(present), page }
}

export async function revokeApiToken(ctx: Context, actor: Actor, id: Id<'apiToken'>): Promise<void> {
  const owner = hasPermission(actor, 'api-tokens.oversee') ? undefined : actor.user.id
  await transaction(ctx.db, async (trx) => {
    const deleted = await deleteApiTokenRow(trx, actor.workspace.id, owner, id)
    if (!deleted) throw notFound('This API token')
    await emit(trx, actor, actor.workspace.id, 'api_token.revoked', {
      kind: 'api_token',
      id,
      name: deleted.name,
    })
    await recordAccountEvent(ctx, trx, {
      user: deleted.user_id,
      type: 'api_token.revoked',
      // The owner of the token must not see the IP address of the workspace owner who revoked it.
      by: deleted.user_id === actor.user.id ? actor : 'member',
      detail: deleted.name,
    })
  })
}
