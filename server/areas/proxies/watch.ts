import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Host } from '../../remote/host.ts'
import { proxyEvents } from '../../remote/proxy/container.ts'
import { NoProxy } from '../../remote/proxy/files.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { syncProxy } from './proxy.ts'
import { isBeingSetUp } from './store.ts'

/** Between attempts while something is away, growing from the first to the last. */
const [SOON, LATER] = [500, 15_000]
/** Docker starts one that died by itself, unless somebody stopped it. */
const GRACE = 500

/** Has the proxy serve what the rows say whenever the server is back, and whenever the proxy was started or has died. */
async function watch(ctx: Context, server: ServerRow, host: Host, signal: AbortSignal): Promise<void> {
  let told: string | undefined
  for (let pause = SOON; !signal.aborted; pause = Math.min(pause * 2, LATER)) {
    try {
      // Before the first look, so that nothing is missed in between.
      const events = await proxyEvents(host, signal)
      await bring(ctx, server)
      pause = SOON
      told = undefined
      for await (const { Action } of events) {
        if (Action === 'die') await sleep(GRACE, undefined, { signal })
        await bring(ctx, server)
      }
    } catch (error) {
      const why = String(error)
      if (!signal.aborted && told !== why)
        ctx.log.info({ server: server.id, why }, 'The proxy of a server is out of sync.')
      told = why
    }
    await sleep(pause, undefined, { signal }).catch(() => {})
  }
}

/** A server that has none yet, or is given one just now, is left to its set-up; so is one of which it is not known yet. */
async function bring(ctx: Context, { workspace_id, id }: ServerRow): Promise<void> {
  const server = await findServer(ctx, workspace_id, id)
  if (server?.status !== 'ready' && server?.status !== 'unreachable') return
  if (server.machine === null || (await isBeingSetUp(ctx.db, server.machine))) return
  try {
    await syncProxy(ctx, server)
  } catch (error) {
    if (!(error instanceof NoProxy)) throw error
  }
}

export const watchers: Watcher[] = [{ name: 'proxy', watch }]
