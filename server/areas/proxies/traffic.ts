import type { Context } from '../../context.ts'
import { latencyTableName, parseLatency } from '../../remote/proxy/latency.ts'
import { parseBackendApplication } from '../../remote/proxy/plan.ts'
import { parseStatistics, sendToWorker } from '../../remote/proxy/runtime-api.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'

/** Traffic since the proxy started or reloaded; all but `latency` and `sessions` only grow. */
export interface Traffic {
  requests: number
  status2xx: number
  status3xx: number
  status4xx: number
  status5xx: number
  bytesIn: number
  bytesOut: number
  /** Mean of the latest 1,024 requests in milliseconds; null without requests. */
  latency: number | null
  sessions: number
  /** Responses that took at least as long as each of `latencyBounds`; null if none was counted. */
  slower: readonly number[] | null
}

export interface ProxyTraffic {
  /** A different value means that all counters were reset. */
  process: string
  applications: Map<string, Traffic>
}

export async function readTraffic(ctx: Context, server: ServerRow): Promise<ProxyTraffic> {
  const [info = '', statistics = '', latencies = ''] = await sendToWorker(getServerHost(ctx, server), [
    'show info',
    'show stat',
    `show table ${latencyTableName}`,
  ])
  const slower = parseLatency(latencies)
  const applications = new Map<string, Traffic>()
  for (const row of parseStatistics(statistics)) {
    const id = parseBackendApplication(row('pxname'))
    if (row('svname') !== 'BACKEND' || !id.startsWith('app_')) continue
    const count = (column: string) => Number(row(column) || 0)
    const more: Traffic = {
      requests: count('stot'),
      status2xx: count('hrsp_2xx'),
      status3xx: count('hrsp_3xx'),
      status4xx: count('hrsp_4xx'),
      status5xx: count('hrsp_5xx'),
      bytesIn: count('bin'),
      bytesOut: count('bout'),
      latency: row('mode') === 'http' && count('stot') > 0 ? count('ttime') : null,
      sessions: count('scur'),
      slower: slower.get(row('pxname')) ?? null,
    }
    applications.set(id, sum(applications.get(id), more))
  }
  const [, pid = ''] = /^Pid: (\d+)$/m.exec(info) ?? []
  const [, started = ''] = /^Start_time_sec: (\d+)$/m.exec(info) ?? []
  return { process: `${pid} ${started}`, applications }
}

function sum(total: Traffic | undefined, more: Traffic): Traffic {
  if (!total) return more
  return {
    requests: total.requests + more.requests,
    status2xx: total.status2xx + more.status2xx,
    status3xx: total.status3xx + more.status3xx,
    status4xx: total.status4xx + more.status4xx,
    status5xx: total.status5xx + more.status5xx,
    bytesIn: total.bytesIn + more.bytesIn,
    bytesOut: total.bytesOut + more.bytesOut,
    latency: total.latency ?? more.latency,
    sessions: total.sessions + more.sessions,
    slower: addCounts(total.slower, more.slower),
  }
}

const addCounts = (counts: Traffic['slower'], more: Traffic['slower']) =>
  counts?.map((count, index) => count + (more?.[index] ?? 0)) ?? more
