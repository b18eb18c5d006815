import { exponentialBackoff } from '../../../contract/shared/backoff.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import { proxyEvents } from '../../remote/proxy/container.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { isBeingSetUp, syncProxy } from './proxy.ts'
import { pause } from '../../platform/async.ts'
import { ProxyNotInstalled } from '../../remote/proxy/apply.ts'

const [MIN_DELAY, MAX_DELAY] = [500, 15_000]
/** Docker restarts a crashed proxy itself, so wait for it first. */
const GRACE = 500

async function watchProxy(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  let loggedReason: string | undefined
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      // Subscribed before the first sync, so that no event is missed.
      const events = await proxyEvents(host, signal)
      await syncIfReady(ctx, server)
      failures = 0
      loggedReason = undefined
      for await (const { Action } of events) {
        if (Action === 'die') await sleep(GRACE, undefined, { signal })
        await syncIfReady(ctx, server)
      }
    } catch (error) {
      const reason = String(error)
      if (!signal.aborted && loggedReason !== reason)
        ctx.log.info({ server: server.id, reason }, 'Failed to update the proxy of a server')
      loggedReason = reason
    }
    await pause(exponentialBackoff(failures, MIN_DELAY, MAX_DELAY), signal)
  }
}

/** Skips servers in setup; setup syncs the proxy itself. */
async function syncIfReady(ctx: Context, { workspace_id, id }: ServerRow): Promise<void> {
  const server = await findServer(ctx, workspace_id, id)
  if (server?.status !== 'ready' && server?.status !== 'unreachable') return
  if (server.machine === null || (await isBeingSetUp(ctx.db, id))) return
  try {
    await syncProxy(ctx, server)
  } catch (error) {
    if (!(error instanceof ProxyNotInstalled)) throw error
  }
}

export const watchers: Watcher[] = [{ name: 'proxy', watch: watchProxy }]
