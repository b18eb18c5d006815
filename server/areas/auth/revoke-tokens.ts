import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { type Initiator, emit } from '../../events.ts'
import type { User } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { recordAccountEvent } from './account-events.ts'
import type { Origin } from './device.ts'
import { deleteApiTokens, findUser } from './store.ts'
import { formatNames } from '../../../contract/shared/format-list.ts'

/** Maximum number of tokens named in the account activity; the audit logs list all of them. */
const mostNamed = 5

/**
 * Revokes all API tokens of a user. Each token is recorded in the audit log of its workspace; the account gets one
 * entry.
 */
export async function revokeApiTokens(
  ctx: Context,
  trx: Trx,
  userId: Id<'user'>,
  by: User | Origin | 'operator',
  reason: string,
): Promise<void> {
  const revoked = await deleteApiTokens(trx, userId)
  const user = await findUser(trx, userId)
  if (revoked.length === 0 || !user) return
  // Members must not see the IP address of the operator.
  const initiator: Initiator =
    by === 'operator' ? 'slipway' : 'user' in by ? by : { user, address: by.address }
  for (const { id, workspace_id, name } of revoked)
    await emit(trx, initiator, workspace_id, 'api_token.revoked', { kind: 'api_token', id, name }, reason)
  const names = revoked.map(({ name }) => name)
  const detail = `${formatNames(names, mostNamed)}, ${reason}`
  await recordAccountEvent(ctx, trx, { user: userId, type: 'api_token.revoked', by, detail })
}
