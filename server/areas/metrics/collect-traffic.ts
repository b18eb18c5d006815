import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { RemoteError } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { type ProxyTraffic, readTraffic, type Traffic } from '../proxies/traffic.ts'
import type { ServerRow } from '../servers/server.ts'
import { listApplicationUsage, listProbeStatuses } from './store.ts'
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
  let since = ctx.now()
  const probes = createProbeCounts()
  await pause(randomInt(500, 3_000), signal)
  while (!signal.aborted) {
    const next = pause(EVERY, signal)
    const loads = await listApplicationUsage(ctx.db, workspace_id, id)
    const now = loads.length > 0 ? await read(ctx, server) : undefined
    const until = ctx.now()
    if (before && now) {
      probes.replace(await listProbeStatuses(ctx.db, workspace_id, id, { since, until }))
      for (const { id: application_id, ...load } of loads) {
        const rates = toTrafficRates(before, now, application_id, probes.of(application_id))
        if (rates) writer.add({ workspace_id, application_id, at: ctx.now(), ...rates, ...load })
      }
    }
    if (now) since = until
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
  probes: ProbeCounts = {},
): Rates | undefined {
  const seconds = (now.at - before.at) / 1_000
  if (seconds <= 0) return undefined
  const after = now.applications.get(application) ?? nothing
  // A new proxy process counts from zero.
  const known = (now.process === before.process && before.applications.get(application)) || nothing
  const rate = (counter: Counter) => Math.max(0, after[counter] - known[counter]) / seconds
  const own = takeProbes(probes, (counter) => after[counter] - known[counter])
  const requests = Math.max(0, rate('requests') - own.requests / seconds)
  const statusRate = (counter: StatusCounter) => rate(counter) - own[counter] / seconds
  return {
    requests,
    status_2xx: statusRate('status2xx'),
    status_3xx: statusRate('status3xx'),
    status_4xx: statusRate('status4xx'),
    status_5xx: statusRate('status5xx'),
    bytes_in: rate('bytesIn'),
    bytes_out: rate('bytesOut'),
    latency_ms: requests > 0 ? (after.latency ?? 0) : 0,
    sessions: after.sessions,
    ...latencyRates((index) => {
      const count = after.slower?.[index]
      return count === undefined ? null : Math.max(0, count - (known.slower?.[index] ?? 0)) / seconds
    }),
  }
}

const statusCounters = ['status2xx', 'status3xx', 'status4xx', 'status5xx'] as const
type StatusCounter = (typeof statusCounters)[number]

/** Slipway's own requests that are not subtracted yet. */
export type ProbeCounts = Partial<Record<StatusCounter, number>>

/** Subtracts no more than the proxy counted; the rest stays for the next reading, as the proxy may count later. */
function takeProbes(probes: ProbeCounts, counted: (counter: StatusCounter) => number) {
  const own = { requests: 0, status2xx: 0, status3xx: 0, status4xx: 0, status5xx: 0 }
  for (const counter of statusCounters) {
    const taken = Math.min(probes[counter] ?? 0, Math.max(0, counted(counter)))
    own[counter] = taken
    own.requests += taken
    probes[counter] = (probes[counter] ?? 0) - taken
  }
  return own
}

/** Leftovers are kept for one reading only: a probe that a CDN answered never reaches the proxy. */
export function createProbeCounts() {
  let added = new Map<string, ProbeCounts>()
  let current = new Map<string, ProbeCounts>()
  return {
    replace(rows: readonly { application_id: string; status: number }[]) {
      const fresh = countProbes(rows)
      const next = new Map<string, ProbeCounts>()
      for (const id of new Set([...fresh.keys(), ...current.keys()])) {
        const counts: ProbeCounts = {}
        for (const counter of statusCounters) {
          const left = Math.min(current.get(id)?.[counter] ?? 0, added.get(id)?.[counter] ?? 0)
          counts[counter] = (fresh.get(id)?.[counter] ?? 0) + left
        }
        next.set(id, counts)
      }
      added = fresh
      current = next
    },
    of: (application: string): ProbeCounts => current.get(application) ?? {},
  }
}

function countProbes(rows: readonly { application_id: string; status: number }[]) {
  const all = new Map<string, ProbeCounts>()
  for (const { application_id, status } of rows) {
    const counter = statusCounters[Math.floor(status / 100) - 2]
    const counts = all.get(application_id) ?? {}
    if (counter) counts[counter] = (counts[counter] ?? 0) + 1
    all.set(application_id, counts)
  }
  return all
}

type Counter = Exclude<keyof Traffic, 'latency' | 'sessions' | 'slower'>

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
  slower: null,
}
