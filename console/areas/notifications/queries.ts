import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/call.ts'
import { matches } from '../../lib/matches.ts'
import { firstPage, nextPage } from '../../lib/paging.ts'

export type Notification = Reply<Api['GET /v1/notifications']>['notifications'][number]

/** The channels of a workspace are few, so they are searched here and not by the server. */
export const notificationsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list'],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/notifications', { query: { cursor: pageParam, limit: 200 } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) =>
      data.pages.flatMap((page) => page.notifications).filter(({ name, type }) => matches(q, name, type)),
  })
