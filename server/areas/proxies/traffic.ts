import type { Context } from '../../context.ts'
import { parseBackendApplication } from '../../remote/proxy/plan.ts'
import { parseStatistics, sendToWorker } from '../../remote/proxy/runtime-api.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'

/** Traffic since the proxy started or reloaded; all but the last two only grow. */
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
}

export interface ProxyTraffic {
  /** A different value means that all counters were reset. */
  process: string
  applications: Map<string, Traffic>
}

export async function readTraffic(ctx: Context, server: ServerRow): Promise<ProxyTraffic> {
  const [info = '', statistics = ''] = await sendToWorker(getServerHost(ctx, server), [
    'show info',
    'show stat',
  ])
  const applications = new Map<string, Traffic>()
  for (const row of parseStatistics(statistics)) {
    const id = parseBackendApplication(row('pxname'))
    if (row('svname') !== 'BACKEND' || !id.startsWith('app_')) continue
    const figure = (column: string) => Number(row(column) || 0)
    const more: Traffic = {
      requests: figure('stot'),
      status2xx: figure('hrsp_2xx'),
      status3xx: figure('hrsp_3xx'),
      status4xx: figure('hrsp_4xx'),
      status5xx: figure('hrsp_5xx'),
      bytesIn: figure('bin'),
      bytesOut: figure('bout'),
      latency: row('mode') === 'http' && figure('stot') > 0 ? figure('ttime') : null,
      sessions: figure('scur'),
    }
    applications.set(id, sum(applications.get(id), more))
  }
  const [, pid = ''] = /^Pid: (\d+)$/m.exec(info) ?? []
  const [, started = ''] = /^Start_time_sec: (\d+)$/m.exec(info) ?? []
  return { process: `${pid} ${started}`, applications }
}

function sum(one: Traffic | undefined, more: Traffic): Traffic {
  if (!one) return more
  return {
    requests: one.requests + more.requests,
    status2xx: one.status2xx + more.status2xx,
    status3xx: one.status3xx + more.status3xx,
    status4xx: one.status4xx + more.status4xx,
    status5xx: one.status5xx + more.status5xx,
    bytesIn: one.bytesIn + more.bytesIn,
    bytesOut: one.bytesOut + more.bytesOut,
    latency: one.latency ?? more.latency,
    sessions: one.sessions + more.sessions,
  }
}
