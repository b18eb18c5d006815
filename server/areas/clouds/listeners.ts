import type { Id } from '../../../contract/shared/ids.ts'
import type { Listener, Listeners } from '../../outbox.ts'
import { requestLook } from './request-look.ts'
import { findCloudServer } from './store.ts'

/** One that is lost may be switched off or deleted at its cloud; and one that is back may have been changed there. */
const lookAfter: Listener = async (ctx, trx, { workspace_id, target_id }) => {
  // Such events are about servers.
  const id = target_id as Id<'server'>
  const cloud = await findCloudServer(trx, workspace_id, id)
  if (cloud && cloud.cloud_token_id !== null)
    await requestLook(ctx, trx, workspace_id, cloud.cloud_token_id, id)
}

/** It may show what nobody has seen since another one was deleted or refused. */
const lookThrough: Listener = async (ctx, trx, { workspace_id, target_id }) => {
  // Such events are about tokens.
  await requestLook(ctx, trx, workspace_id, target_id as Id<'cloudToken'>)
}

export const listeners: Listeners[] = [
  {
    'server.unreachable': lookAfter,
    'server.ready': lookAfter,
    'cloud_token.created': lookThrough,
    'cloud_token.updated': lookThrough,
    'cloud_token.accepted': lookThrough,
  },
]
