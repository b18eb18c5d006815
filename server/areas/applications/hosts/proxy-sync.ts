import type { Context } from '../../../context.ts'
import type { Trx } from '../../../tables.ts'
import { enqueueProxySync } from '../../servers/proxy-sync.ts'
import type { ApplicationRow } from '../store.ts'

/** Part of the change: has the proxy of the application's server follow it, as soon as the server can be reached. */
export const requestProxySync = (
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  { workspace_id, server_id }: Pick<ApplicationRow, 'workspace_id' | 'server_id'>,
): Promise<void> => enqueueProxySync(ctx, trx, workspace_id, server_id)
