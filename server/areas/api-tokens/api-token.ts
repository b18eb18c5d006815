import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { apiToken } from '../../../contract/api-tokens.ts'
import type { Id } from '../../../contract/ids.ts'
import { atLeast, type Role } from '../../../contract/permissions.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { nameInMail } from '../../platform/mail-name.ts'
import type { PageQuery } from '../../platform/page.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import { recordAccountEvent } from '../auth/account-events.ts'
import type { Actor } from '../../route.ts'
import type { Tables } from '../../tables.ts'
import { deleteApiTokenRow, insertApiToken, listOwn } from './store.ts'

const present = (row: Selectable<Tables['api_tokens']>): z.input<typeof apiToken> => ({
  id: row.id,
  name: row.name,
  role: row.role,
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

interface NewToken {
  name: string
  expires_at?: string | null | undefined
  role?: Role | undefined
}

export async function createApiToken(ctx: Context, actor: Actor, { name, expires_at, role }: NewToken) {
  const expires = expires_at ? new Date(expires_at) : null
  if (expires && expires <= ctx.now())
    throw new Invalid({ expires_at: ['The expiry must lie in the future.'] })
  const wanted = role ?? actor.workspace.role
  if (!atLeast(actor.workspace.role, wanted))
    throw new Invalid({ role: ['Must not be above your own role.'] })
  const token = newToken('slt')
  const row = await transaction(ctx.db, async (trx) => {
    const made = await insertApiToken(trx, {
      id: newId('apiToken'),
      workspace_id: actor.workspace.id,
      user_id: actor.user.id,
      name,
      role: wanted,
      token_hash: hashToken(token),
      expires_at: expires,
    })
    await emit(trx, actor, actor.workspace.id, 'api_token.created', { kind: 'api_token', id: made.id, name })
    await recordAccountEvent(ctx, trx, {
      user: actor.user.id,
      type: 'api_token.created',
      by: actor,
      detail: `${nameInMail(name, 'a token')}, role ${wanted}`,
    })
    return made
  })
  return { api_token: present(row), token }
}

export async function listApiTokens(ctx: Context, actor: Actor, query: PageQuery) {
  const { rows, page } = await listOwn(ctx.db, actor.workspace.id, actor.user.id, query)
  return { api_tokens: rows.map(present), page }
}

export async function deleteApiToken(ctx: Context, actor: Actor, id: Id<'apiToken'>): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const gone = await deleteApiTokenRow(trx, actor.workspace.id, actor.user.id, id)
    if (!gone) throw notFound('This API token')
    await emit(trx, actor, actor.workspace.id, 'api_token.deleted', {
      kind: 'api_token',
      id,
      name: gone.name,
    })
    await recordAccountEvent(ctx, trx, {
      user: actor.user.id,
      type: 'api_token.revoked',
      by: actor,
      detail: gone.name,
    })
  })
}
