import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Trx } from '../../tables.ts'

/** Enqueues a proxy sync in the caller's transaction. The job belongs to the proxies area. */
export async function enqueueProxySync(
  { secrets }: Pick<Context, 'secrets'>,
  trx: Trx,
  workspace_id: Id<'workspace'>,
  server_id: Id<'server'>,
): Promise<void> {
  await enqueue(secrets, trx, {
    kind: 'sync-proxy',
    payload: { workspace_id, server_id },
    key: `sync-proxy:${server_id}`,
    lane: 'proxy',
  })
}
