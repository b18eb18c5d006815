import type { Area } from '../../area.ts'
import { watchers } from './proxy-watcher.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob, PermanentFailure } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import type { Db } from '../../tables.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import { syncProxy } from './proxy.ts'
import { ProxyNotInstalled } from '../../remote/proxy/apply.ts'

const nothing = z.object({})
const payload = z.object({ workspace_id: id('workspace'), server_id: id('server') })

/** Retried while the server is unreachable; the watcher also syncs when it is back. */
export const jobs = [
  defineJob<Context, typeof payload>('sync-proxy', payload, async (ctx, { workspace_id, server_id }, run) => {
    const server = await findServer(ctx, workspace_id, server_id)
    if (!server) return
    try {
      await syncProxy(ctx, server, run.signal)
    } catch (error) {
      // A retry is useless without a proxy; setup requests another sync when it is done.
      throw error instanceof ProxyNotInstalled ? new PermanentFailure(error.message) : error
    }
  }),
  defineJob<Context, typeof nothing>('retry-proxies', nothing, (ctx) => retryProxies(ctx)),
]

const schedules = [
  {
    name: 'retry-proxies',
    everySeconds: 60,
    job: { kind: 'retry-proxies', payload: {}, lane: 'poll' as const },
  },
]

/** Retries proxies with an error, because its cause may have been fixed meanwhile. */
async function retryProxies(ctx: Context): Promise<void> {
  const servers = await listOutOfSync(ctx.db)
  await transaction(ctx.db, async (trx) => {
    for (const { id: server_id, workspace_id } of servers)
      await requestProxySync(ctx, trx, { workspace_id, server_id })
  })
}

async function listOutOfSync(db: Db): Promise<Pick<ServerRow, 'id' | 'workspace_id'>[]> {
  const { rows } = await sql<Pick<ServerRow, 'id' | 'workspace_id'>>`
    select id, workspace_id from servers s
    where proxy_error is not null and status = 'ready' and not exists (
      select from jobs j where j.key = 'sync-proxy:' || s.id and j.state in ('queued', 'running'))
    order by id`.execute(db)
  return rows
}

export const proxiesArea: Area = {
  name: 'proxies',
  jobs,
  schedules,
  watchers,
}
