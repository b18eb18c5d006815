import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { matches } from '../../lib/matches.ts'
import { firstPage, nextPage, pageAt } from '../../lib/http/paging.ts'

export type Notification = Reply<Api['GET /v1/notifications']>['notifications'][number]
export type Channel = Reply<Api['GET /v1/notifications/{id}']>['notification']
export type ChannelTypes = Reply<Api['GET /v1/notifications/types']>
export type ChannelType = ChannelTypes['types'][number]
export type ChannelField = ChannelType['fields'][number]
export type NoticeGroup = ChannelTypes['events'][number]
export type Message = Reply<Api['GET /v1/notifications/{id}/history']>['history'][number]

/** Channels are few, so they are searched in the browser. */
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

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', 'one', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/notifications/{id}', { params: { id } }, signal)).notification,
    meta: { quiet: true },
  })

/** Constant while Slipway runs. */
export const channelTypesQuery = queryOptions({
  queryKey: ['channel-types'],
  queryFn: ({ signal }) => call('GET /v1/notifications/types', undefined, signal),
  staleTime: Infinity,
  // Failures are silent; the list stays empty.
  meta: { quiet: true },
})

export const historyQuery = (id: string, status: Message['status'] | '') =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'history', id, status],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...pageAt(pageParam), ...(status !== '' && { status }) }
      return call('GET /v1/notifications/{id}/history', { params: { id }, query }, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.history),
    meta: { quiet: true },
  })
