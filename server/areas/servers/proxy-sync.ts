import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Trx } from '../../tables.ts'

/** Queues a job of the proxies area, which updates the proxy as soon as the server is reachable. */
export async function requestProxySync(
  { secrets }: Pick<Context, 'secrets'>,
  trx: Trx,
  { workspace_id, server_id }: { workspace_id: Id<'workspace'>; server_id: Id<'server'> },
): Promise<void> {
  await enqueue(secrets, trx, {
    kind: 'sync-proxy',
    payload: { workspace_id, server_id },
    key: `sync-proxy:${server_id}`,
    lane: 'proxy',
  })
}
