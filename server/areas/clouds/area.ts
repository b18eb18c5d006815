import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Listener, Listeners } from '../../events.ts'
import { requestAccountCheck } from './check-account.ts'
import { findCloudServer } from './store.ts'

/** Checks the account when a server is lost or returns: the server may have been powered off, deleted or changed. */
const lookAfter: Listener = async (ctx, trx, { workspace_id, target_id }) => {
  // The target of these events is always a server, so the cast is safe.
  const id = target_id as Id<'server'>
  const cloud = await findCloudServer(trx, workspace_id, id)
  if (cloud && cloud.cloud_token_id !== null)
    await requestAccountCheck(ctx, trx, workspace_id, cloud.cloud_token_id)
}

/** Checks the account of a new token, which may show servers whose previous token was deleted or rejected. */
const lookThrough: Listener = async (ctx, trx, { workspace_id, target_id }) => {
  // The target of these events is always a cloud token, so the cast is safe.
  await requestAccountCheck(ctx, trx, workspace_id, target_id as Id<'cloudToken'>)
}

const listeners: Listeners[] = [
  {
    'server.unreachable': lookAfter,
    'server.ready': lookAfter,
    'cloud_token.created': lookThrough,
    'cloud_token.updated': lookThrough,
    'cloud_token.accepted': lookThrough,
  },
]

export const cloudsArea: Area = {
  name: 'clouds',
  routes,
  jobs,
  schedules,
  listeners,
}
