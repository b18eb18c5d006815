import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/call.ts'
import type { Range } from './range.ts'

export type ServerPoint = Reply<Api['GET /v1/metrics/servers/{id}']>['metrics']['points'][number]

/** The figures up to now, asked for again while somebody looks. */
export const serverMetricsQuery = (id: string, range: Range) =>
  queryOptions({
    queryKey: ['metrics', id, range.key],
    queryFn: async ({ signal }) => {
      const until = Date.now() / 1000
      const from = until - range.seconds
      const since = new Date(from * 1000).toISOString()
      const { metrics } = await call(
        'GET /v1/metrics/servers/{id}',
        { params: { id }, query: { since } },
        signal,
      )
      return { ...metrics, from, until }
    },
    staleTime: 5_000,
    refetchInterval: range.refresh * 1000,
    // While another range comes, the one before stays; that of another server does not.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    meta: { quiet: true },
  })
