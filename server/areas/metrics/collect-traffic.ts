import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { RemoteError } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { noTraffic, type ProxyTraffic, readTraffic, type Traffic } from '../proxies/traffic.ts'
import type { ServerRow } from '../servers/server.ts'
import { listApplicationUsage } from './store.ts'
import { pause } from '../../platform/async.ts'
import type { Sample } from './series.ts'
import { latencyRates } from './percentiles.ts'

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
    // The first reading after a gap covers the whole time since the reading before it.
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
  const after = now.applications.get(application) ?? noTraffic
  // A new proxy process counts from zero.
  const known = (now.process === before.process && before.applications.get(application)) || noTraffic
  const gained = (counter: Counter) => Math.max(0, after[counter] - known[counter])
  const rate = (counter: Counter) => gained(counter) / seconds
  const responses = gained('responses')
  return {
    requests: rate('requests'),
    status_2xx: rate('status2xx'),
    status_3xx: rate('status3xx'),
    status_4xx: rate('status4xx'),
    status_5xx: rate('status5xx'),
    bytes_in: rate('bytesIn'),
    bytes_out: rate('bytesOut'),
    latency_ms: responses > 0 ? gained('responseTime') / responses : 0,
    sessions: after.sessions,
    ...latencyRates((index) => {
      const count = after.slower?.[index]
      return count === undefined ? null : Math.max(0, count - (known.slower?.[index] ?? 0)) / seconds
    }),
  }
}

type Counter = Exclude<keyof Traffic, 'sessions' | 'slower'>
