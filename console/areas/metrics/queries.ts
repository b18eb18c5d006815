import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useParam } from '../../lib/use-param.ts'

export type ServerPoint = Reply<Api['GET /v1/metrics/servers/{id}']>['metrics']['points'][number]
export type ContainerPoint = Reply<
  Api['GET /v1/metrics/servers/{id}/containers/{cid}']
>['metrics']['points'][number]
export type ApplicationPoint = Reply<Api['GET /v1/metrics/applications/{id}']>['metrics']['points'][number]

export interface Metrics<Point> {
  points: Point[]
  step_seconds: number
}

export const serverMetricsQuery = (id: string, range: MetricsRange) =>
  metricsQuery<ServerPoint>(id, range, (query, signal) =>
    callApi('GET /v1/metrics/servers/{id}', { params: { id }, query }, signal),
  )

export const containerMetricsQuery = (id: string, cid: string, range: MetricsRange) =>
  metricsQuery<ContainerPoint>(`${id} ${cid}`, range, (query, signal) =>
    callApi('GET /v1/metrics/servers/{id}/containers/{cid}', { params: { id, cid }, query }, signal),
  )

export const applicationMetricsQuery = (id: string, range: MetricsRange) =>
  metricsQuery<ApplicationPoint>(id, range, (query, signal) =>
    callApi('GET /v1/metrics/applications/{id}', { params: { id }, query }, signal),
  )

/** Metrics up to now, refreshed while the page is visible. */
const metricsQuery = <Point>(
  whose: string,
  range: MetricsRange,
  ask: (query: { since: string }, signal: AbortSignal) => Promise<{ metrics: Metrics<Point> }>,
) =>
  queryOptions({
    queryKey: ['metrics', whose, range.key],
    queryFn: async ({ signal }) => {
      const until = Date.now() / 1000
      const from = until - range.seconds
      const { metrics } = await ask({ since: new Date(from * 1000).toISOString() }, signal)
      return { ...metrics, from, until }
    },
    staleTime: 5_000,
    refetchInterval: range.refresh * 1000,
    // Keeps the previous range while another loads, but not the metrics of another resource.
    placeholderData: (before, query) => (query?.queryKey[1] === whose ? before : undefined),
  })

export type MetricsQuery<Point> = ReturnType<typeof metricsQuery<Point>>

/** The first is the default. */
export const ranges = [
  { key: '1h', label: '1 h', title: 'Last hour', seconds: 3_600, refresh: 10 },
  { key: '6h', label: '6 h', title: 'Last 6 hours', seconds: 6 * 3_600, refresh: 10 },
  { key: '24h', label: '24 h', title: 'Last 24 hours', seconds: 86_400, refresh: 30 },
  { key: '7d', label: '7 d', title: 'Last 7 days', seconds: 7 * 86_400, refresh: 60 },
  { key: '30d', label: '30 d', title: 'Last 30 days', seconds: 30 * 86_400, refresh: 60 },
] as const

export type MetricsRange = (typeof ranges)[number]

export function useRange(): [MetricsRange, (key: string) => void] {
  const [param, choose] = useParam('range')
  return [ranges.find(({ key }) => key === param) ?? ranges[0], choose]
}
