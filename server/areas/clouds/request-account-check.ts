import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Trx } from '../../tables.ts'

const limit = 4

export const accountCheckKey = 'look-at-account:'

/** Requests a check of all servers of a token, or of one. */
export const requestAccountCheck = (
  ctx: Context,
  trx: Trx,
  workspace_id: Id<'workspace'>,
  cloud_token_id: Id<'cloudToken'>,
  server_id?: Id<'server'>,
) =>
  enqueue(ctx.secrets, trx, {
    kind: 'look-at-account',
    payload: { workspace_id, cloud_token_id, server_id },
    key: `${accountCheckKey}${cloud_token_id}`,
    group: { name: 'look-at-account', limit },
    lane: 'clouds',
    attempts: 1,
  })
