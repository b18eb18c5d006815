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

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', 'one', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/notifications/{id}', { params: { id } }, signal)).notification,
    meta: { quiet: true },
  })

/** What a channel can be, and be told of. It stays as it is for as long as Slipway runs. */
export const channelTypesQuery = queryOptions({
  queryKey: ['channel-types'],
  queryFn: ({ signal }) => call('GET /v1/notifications/types', undefined, signal),
  staleTime: Infinity,
  // Where they cannot be had the list is empty, and nothing is said.
  meta: { quiet: true },
})

/** Newest first; all of them, or only those of which this became. */
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
