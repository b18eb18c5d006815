import type { Context } from '../../../context.ts'
import type { Trx } from '../../../tables.ts'
import { enqueueProxySync } from '../../servers/proxy-sync.ts'
import type { ApplicationRow } from '../store.ts'

/** Call within the transaction of the change. The proxy follows as soon as the server is reachable. */
export const requestProxySync = (
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  { workspace_id, server_id }: Pick<ApplicationRow, 'workspace_id' | 'server_id'>,
): Promise<void> => enqueueProxySync(ctx, trx, workspace_id, server_id)
