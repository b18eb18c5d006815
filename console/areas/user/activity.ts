import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/call.ts'
import { firstPage, nextPage } from '../../lib/paging.ts'

export type AccountEvent = Reply<Api['GET /v1/user/activity']>['events'][number]

export const activityQuery = infiniteQueryOptions({
  queryKey: ['user', 'activity'],
  queryFn: ({ pageParam, signal }) => call('GET /v1/user/activity', { query: { cursor: pageParam } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.events),
  // Log-ins elsewhere come without an event on this page.
  staleTime: 0,
  refetchInterval: 15_000,
  meta: { quiet: true },
})
