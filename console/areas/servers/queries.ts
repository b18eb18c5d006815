import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/call.ts'
import { firstPage, nextPage, pageAt } from '../../lib/paging.ts'

export type Server = Reply<Api['GET /v1/servers']>['servers'][number]

/** Page by page; `q` searches by name. */
export const serversQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['servers', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/servers', { query: { q: q || undefined, ...pageAt(pageParam) } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.servers),
  })

export const serverCountQuery = queryOptions({
  queryKey: ['servers', 'count'],
  queryFn: async ({ signal }) => (await call('GET /v1/servers', { query: { limit: 1 } }, signal)).page.total,
})
