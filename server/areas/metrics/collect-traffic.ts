import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { RemoteError } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { type ProxyTraffic, readTraffic, type Traffic } from '../proxies/traffic.ts'
import type { ServerRow } from '../servers/server.ts'
import { listApplicationUsage } from './store.ts'
import { pause } from '../../platform/async.ts'
import type { Sample } from './series.ts'

const EVERY = 10_000

export async function collectTraffic(
  ctx: Context,
  server: ServerRow,
  _host: Host,
  signal: AbortSignal,
): Promise<void> {
  const writer = ctx.sampleWriters().applications
  const { workspace_id, id } = server
  let before: TrafficReading | undefined
  await pause(randomInt(500, 3_000), signal)
  while (!signal.aborted) {
    const next = pause(EVERY, signal)
    const loads = await listApplicationUsage(ctx.db, workspace_id, id)
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

async function read(ctx: Context, server: ServerRow): Promise<TrafficReading | undefined> {
  try {
    return { at: performance.now(), ...(await readTraffic(ctx, server)) }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return undefined
  }
}

export interface TrafficReading extends Pick<ProxyTraffic, 'process' | 'applications'> {
  at: number
}

type Rates = Omit<Sample<'application'>, 'cpu' | 'memory_used'>

export function toTrafficRates(
  before: TrafficReading,
  now: TrafficReading,
  application: string,
): Rates | undefined {
  const seconds = (now.at - before.at) / 1_000
  if (seconds <= 0) return undefined
  const after = now.applications.get(application) ?? nothing
  // A new proxy process counts from zero.
  const known = (now.process === before.process && before.applications.get(application)) || nothing
  const rate = (counter: Counter) => Math.max(0, after[counter] - known[counter]) / seconds
  const requests = rate('requests')
  return {
    requests,
    status_2xx: rate('status2xx'),
    status_3xx: rate('status3xx'),
    status_4xx: rate('status4xx'),
    status_5xx: rate('status5xx'),
    bytes_in: rate('bytesIn'),
    bytes_out: rate('bytesOut'),
    latency_ms: requests > 0 ? (after.latency ?? 0) : 0,
    sessions: after.sessions,
  }
}

type Counter = Exclude<keyof Traffic, 'latency' | 'sessions'>

const nothing: Traffic = {
  requests: 0,
  status2xx: 0,
  status3xx: 0,
  status4xx: 0,
  status5xx: 0,
  bytesIn: 0,
  bytesOut: 0,
  latency: null,
  sessions: 0,
}
