import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Trx } from '../../tables.ts'

/** So many accounts at a time, of all that there are. */
const limit = 4

/** One look at a time through each token. */
export const lookKey = 'look-at-account:'

/** At all that is seen through a token, or at one server. What it does not see, the next look sees. */
export const requestLook = (
  ctx: Context,
  trx: Trx,
  workspace_id: Id<'workspace'>,
  cloud_token_id: Id<'cloudToken'>,
  server_id?: Id<'server'>,
) =>
  enqueue(ctx.secrets, trx, {
    kind: 'look-at-account',
    payload: { workspace_id, cloud_token_id, server_id },
    key: `${lookKey}${cloud_token_id}`,
    group: { name: 'look-at-account', limit },
    lane: 'clouds',
    attempts: 1,
  })
