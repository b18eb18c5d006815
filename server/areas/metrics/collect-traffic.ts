import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { RemoteError } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { readTraffic } from '../proxies/traffic.ts'
import type { ServerRow } from '../servers/server.ts'
import { listApplicationUsage } from './store.ts'
import { type TrafficReading, toTrafficRates } from './traffic-sample.ts'
import { pause } from '../../platform/async.ts'

const EVERY = 10_000

/** Combines proxy counters with the usage of containers. */
export async function collectTraffic(
  ctx: Context,
  server: ServerRow,
  _host: Host,
  signal: AbortSignal,
): Promise<void> {
  const writer = ctx.sampleWriters().applications
  const { workspace_id, id } = server
  let before: TrafficReading | undefined
  // Random delay, so that servers of one process do not report simultaneously.
  await pause(randomInt(500, 3_000), signal)
  while (!signal.aborted) {
    const next = pause(EVERY, signal)
    const loads = await listApplicationUsage(ctx.db, workspace_id, id)
    // Without applications there is nothing to ask for.
    const now = loads.length > 0 ? await read(ctx, server) : undefined
    if (before && now)
      for (const { id: application_id, ...load } of loads) {
        const rates = toTrafficRates(before, now, application_id)
        if (rates) writer.add({ workspace_id, application_id, at: ctx.now(), ...rates, ...load })
      }
    // After a gap the next reading covers the whole time.
    before = now ?? before
    await next
  }
  await writer.flush()
}

/** Returns undefined while the proxy is unreachable, which is reported elsewhere. */
async function read(ctx: Context, server: ServerRow): Promise<TrafficReading | undefined> {
  try {
    return { at: performance.now(), ...(await readTraffic(ctx, server)) }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return undefined
  }
}
