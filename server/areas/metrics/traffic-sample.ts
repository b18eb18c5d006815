import type { ProxyTraffic, Traffic } from '../proxies/traffic.ts'
import type { Sample } from './series.ts'

export interface TrafficReading extends Pick<ProxyTraffic, 'process' | 'applications'> {
  at: number
}

type Rates = Omit<Sample<'application'>, 'cpu' | 'memory_used'>

/** Returns undefined without elapsed time. */
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
