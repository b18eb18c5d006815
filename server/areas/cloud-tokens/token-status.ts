import type { Context } from '../../context.ts'
import { emit, type Initiator } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { MissingPermission, TokenRefused } from '../providers/cloud-errors.ts'
import {
  type CloudTokenRow,
  cloudTokenTarget,
  getCloudTokenRow,
  getProvider,
  presentCloudToken,
  toProviderAccount,
} from './cloud-token.ts'
import { lockCloudTokenRow, updateCloudTokenRow } from './store.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Actor } from '../../route.ts'

/** Records that the provider rejected the token. The event is emitted once. */
export const markTokenRejected = (
  ctx: Context,
  row: CloudTokenRow,
  reason: string,
  initiator: Initiator = 'slipway',
) => note(ctx, row, { error: reason }, initiator)

/** A token that was rejected is fully checked first, because it may be read-only. */
export async function markTokenAccepted(
  ctx: Context,
  row: CloudTokenRow,
  signal?: AbortSignal,
): Promise<void> {
  if (row.error === null) await note(ctx, row, { error: null }, 'slipway')
  else await recheckToken(ctx, row, { signal })
}

export async function recheckToken(
  ctx: Context,
  row: CloudTokenRow,
  { initiator = 'slipway', signal }: { initiator?: Initiator; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  try {
    const { account } = await getProvider(row.provider).check(toProviderAccount(ctx, row, signal))
    await note(ctx, row, { error: null, account }, initiator)
  } catch (error) {
    if (!isTokenRejection(error)) throw error
    await markTokenRejected(ctx, row, error.message, initiator)
  }
}

export const isTokenRejection = (error: unknown): error is TokenRefused | MissingPermission =>
  error instanceof TokenRefused || error instanceof MissingPermission

/** Ignores results for a token that was replaced. */
const note = (
  ctx: Context,
  { workspace_id, id, token_sealed }: CloudTokenRow,
  changes: Partial<Pick<CloudTokenRow, 'error' | 'account'>>,
  initiator: Initiator,
): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const now = await lockCloudTokenRow(trx, workspace_id, id)
    if (!now || now.token_sealed !== token_sealed) return
    await updateCloudTokenRow(trx, workspace_id, id, { ...changes, checked_at: new Date() })
    if ((now.error === null) === (changes.error === null)) return
    const type = changes.error === null ? 'cloud_token.accepted' : 'cloud_token.refused'
    await emit(trx, initiator, workspace_id, type, cloudTokenTarget(now), changes.error ?? undefined)
  })

export async function checkCloudToken(ctx: Context, actor: Actor, id: Id<'cloudToken'>, signal: AbortSignal) {
  await recheckToken(ctx, await getCloudTokenRow(ctx, actor, id), { initiator: actor, signal })
  return presentCloudToken(ctx, await getCloudTokenRow(ctx, actor, id))
}
