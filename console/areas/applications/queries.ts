import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/call.ts'
import { firstPage, nextPage, pageAt } from '../../lib/paging.ts'

export type Application = Reply<Api['GET /v1/applications']>['applications'][number]

/** Page by page; `q` searches by name. */
export const applicationsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['applications', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/applications', { query: { q: q || undefined, ...pageAt(pageParam) } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.applications),
  })

export const applicationCountQuery = queryOptions({
  queryKey: ['applications', 'count'],
  queryFn: async ({ signal }) =>
    (await call('GET /v1/applications', { query: { limit: 1 } }, signal)).page.total,
})
