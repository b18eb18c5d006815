import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import type { MetricsSpan } from './metrics-span.ts'

export type ServerPoint = Reply<Api['GET /v1/metrics/servers/{id}']>['metrics']['points'][number]
export type ContainerPoint = Reply<
  Api['GET /v1/metrics/servers/{id}/containers/{cid}']
>['metrics']['points'][number]
export type ApplicationPoint = Reply<Api['GET /v1/metrics/applications/{id}']>['metrics']['points'][number]

export interface Metrics<Point> {
  points: Point[]
  step_seconds: number
}

export const serverMetricsQuery = (id: string, span: MetricsSpan) =>
  metricsQuery<ServerPoint>(id, span, (query, signal) =>
    callApi('GET /v1/metrics/servers/{id}', { params: { id }, query }, signal),
  )

export const containerMetricsQuery = (id: string, cid: string, span: MetricsSpan) =>
  metricsQuery<ContainerPoint>(`${id} ${cid}`, span, (query, signal) =>
    callApi('GET /v1/metrics/servers/{id}/containers/{cid}', { params: { id, cid }, query }, signal),
  )

export const applicationMetricsQuery = (id: string, span: MetricsSpan) =>
  metricsQuery<ApplicationPoint>(id, span, (query, signal) =>
    callApi('GET /v1/metrics/applications/{id}', { params: { id }, query }, signal),
  )

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString()

/** Fetches the metrics of a span. A span that ends now is refreshed while the page is visible. */
const metricsQuery = <Point>(
  whose: string,
  span: MetricsSpan,
  ask: (
    query: { since: string; until?: string },
    signal: AbortSignal,
  ) => Promise<{ metrics: Metrics<Point> }>,
) =>
  queryOptions({
    queryKey: ['metrics', whose, span.key],
    queryFn: async ({ signal }) => {
      const { seconds, until: fixed, ago = 0 } = span
      const until = (fixed ?? Date.now() / 1000) - ago
      const from = until - seconds
      const isNow = fixed === undefined && ago === 0
      const query = { since: isoTime(from), ...(!isNow && { until: isoTime(until) }) }
      const { metrics } = await ask(query, signal)
      return { ...metrics, from, until }
    },
    staleTime: span.refresh === false ? 60_000 : 5_000,
    refetchInterval: span.refresh && span.refresh * 1000,
    // Keep the previous range while another loads, but not the metrics of another resource.
    placeholderData: (before, query) => (query?.queryKey[1] === whose ? before : undefined),
  })

export type MetricsQuery<Point> = ReturnType<typeof metricsQuery<Point>>
