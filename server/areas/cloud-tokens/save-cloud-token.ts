import type { z } from 'zod'
import type { createCloudToken, updateCloudToken } from '../../../contract/cloud-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { findProvider } from '../providers/providers.ts'
import {
  getCloudTokenRow,
  getProvider,
  presentCloudToken,
  cloudTokenTarget,
  cloudTokenSealContext,
} from './cloud-token.ts'
import { isTokenRejection } from './token-status.ts'
import { assertSameAccount, assertStillReplaceable } from './same-account.ts'
import { insertCloudToken, lockCloudTokenRow, updateCloudTokenRow } from './store.ts'

type New = z.output<(typeof createCloudToken)['body']>
type Changes = z.output<(typeof updateCloudToken)['body']>

export async function addCloudToken(ctx: Context, actor: Actor, given: New, signal: AbortSignal) {
  const { name, token } = given
  const provider = findProvider(given.provider)
  if (!provider) throw new Invalid({ provider: ['Unknown provider. Choose one of /v1/providers.'] })
  const { account } = await checkFirst(provider, { ctx, token, signal })
  const id = newId('cloudToken')
  const workspace_id = actor.workspace.id
  const row = await transaction(ctx.db, async (trx) => {
    const made = await insertCloudToken(trx, {
      id,
      workspace_id,
      name,
      provider: provider.id,
      token_sealed: ctx.secrets.seal(cloudTokenSealContext(id), token),
      account,
      error: null,
      checked_at: new Date(),
    })
    await emit(trx, actor, workspace_id, 'cloud_token.created', cloudTokenTarget(made), provider.name)
    return made
  })
  return presentCloudToken(ctx, row)
}

async function checkFirst(provider: Provider, account: Account) {
  try {
    return await provider.check(account)
  } catch (error) {
    throw isTokenRejection(error) ? new Invalid({ token: [error.message] }) : error
  }
}

export async function changeCloudToken(
  ctx: Context,
  actor: Actor,
  id: Id<'cloudToken'>,
  { name, token }: Changes,
  signal: AbortSignal,
) {
  const before = await getCloudTokenRow(ctx, actor, id)
  const { isSame, ...replaced } = token === undefined ? { isSame: true } : await replacedBy(token)
  const row = await transaction(ctx.db, async (trx) => {
    // The token may have changed during the check.
    const now = await lockCloudTokenRow(trx, actor.workspace.id, id)
    if (!now) throw notFound('This cloud token')
    if (token !== undefined && now.token_sealed !== before.token_sealed) throw changedMeanwhile(now.name)
    if (!isSame) await assertStillReplaceable(trx, now)
    const changes = { name: name ?? now.name, ...replaced }
    const changed = await updateCloudTokenRow(trx, actor.workspace.id, id, changes)
    if (!changed) throw notFound('This cloud token')
    await emit(trx, actor, actor.workspace.id, 'cloud_token.updated', cloudTokenTarget(changed))
    return changed
  })
  return presentCloudToken(ctx, row)

  async function replacedBy(other: string) {
    const provider = getProvider(before.provider)
    const opened = { ctx, token: other, signal }
    const { account } = await checkFirst(provider, opened)
    const isSame = await assertSameAccount(provider, opened, before, account)
    const token_sealed = ctx.secrets.seal(cloudTokenSealContext(id), other)
    return { isSame, token_sealed, account, error: null, checked_at: new Date() }
  }
}

const changedMeanwhile = (name: string) =>
  conflict(
    'cloud_token_changed',
    `Another user replaced the token ${name} at the same time, so yours was not saved. Check it, then try again.`,
  )
