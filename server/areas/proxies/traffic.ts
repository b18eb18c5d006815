import type { Context } from '../../context.ts'
import { parseBackendApplication } from '../../remote/proxy/plan.ts'
import { parseStatistics, sendToWorker, type Statistics } from '../../remote/proxy/runtime-api.ts'
import { type HttpTraffic, parseTraffic, showTraffic } from '../../remote/proxy/traffic-counters.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'

/** Counters since the proxy started or reloaded, without Slipway's own requests. All but the sessions only grow. */
export interface Traffic extends HttpTraffic {
  /** HTTP responses, and connections to published ports. */
  requests: number
}

export interface ProxyTraffic {
  /** A different value means that all counters were reset. */
  process: string
  applications: Map<string, Traffic>
}

export async function readTraffic(ctx: Context, server: ServerRow): Promise<ProxyTraffic> {
  const [info = '', statistics = '', table = ''] = await sendToWorker(getServerHost(ctx, server), [
    'show info',
    'show stat',
    showTraffic,
  ])
  const applications = new Map<string, Traffic>()
  for (const [id, http] of parseTraffic(table)) applications.set(id, { ...http, requests: http.responses })
  for (const [id, tcp] of listTcpTraffic(parseStatistics(statistics))) {
    const http = applications.get(id) ?? noTraffic
    applications.set(id, {
      ...http,
      requests: http.requests + tcp.connections,
      bytesIn: http.bytesIn + tcp.bytesIn,
      bytesOut: http.bytesOut + tcp.bytesOut,
      sessions: http.sessions + tcp.sessions,
    })
  }
  const [, pid = ''] = /^Pid: (\d+)$/m.exec(info) ?? []
  const [, started = ''] = /^Start_time_sec: (\d+)$/m.exec(info) ?? []
  return { process: `${pid} ${started}`, applications }
}

export const noTraffic: Traffic = {
  requests: 0,
  responses: 0,
  status2xx: 0,
  status3xx: 0,
  status4xx: 0,
  status5xx: 0,
  responseTime: 0,
  bytesIn: 0,
  bytesOut: 0,
  sessions: 0,
  slower: null,
}

const listTcpTraffic = (rows: Statistics) =>
  rows
    .filter((row) => row('svname') === 'BACKEND' && row('mode') === 'tcp')
    .map((row) => {
      const count = (column: string) => Number(row(column) || 0)
      const traffic = {
        connections: count('stot'),
        bytesIn: count('bin'),
        bytesOut: count('bout'),
        sessions: count('scur'),
      }
      return [parseBackendApplication(row('pxname')), traffic] as const
    })
