import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { matchesTerm } from '../../lib/matches-term.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type Notification = Reply<Api['GET /v1/notifications']>['notifications'][number]
export type Channel = Reply<Api['GET /v1/notifications/{id}']>['notification']
export type ChannelTypes = Reply<Api['GET /v1/notifications/types']>
export type ChannelType = ChannelTypes['types'][number]
export type ChannelField = ChannelType['fields'][number]
export type EventGroup = ChannelTypes['events'][number]
export type Message = Reply<Api['GET /v1/notifications/{id}/history']>['history'][number]

/** Lists channels. A workspace has few, so the browser searches them. */
export const notificationsQuery = (q: string) =>
  listQuery(
    ['notifications', 'list'],
    (page, signal) => callApi('GET /v1/notifications', { query: { ...page, limit: 200 } }, signal),
    ({ notifications }) => notifications.filter(({ name, type }) => matchesTerm(q, name, type)),
  )

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['notifications', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/notifications/{id}', { params: { id } }, signal)).notification,
  })

/** Lists the channel types, which do not change while Slipway runs. */
export const channelTypesQuery = queryOptions({
  queryKey: ['channel-types'],
  queryFn: ({ signal }) => callApi('GET /v1/notifications/types', undefined, signal),
  staleTime: Infinity,
  // The specification demands an empty list instead of an error.
  meta: { quiet: true },
})

export const messagesQuery = (id: string, status: Message['status'] | '') =>
  listQuery(
    ['notifications', 'history', id, status],
    (page, signal) => {
      const query = { ...page, ...(status !== '' && { status }) }
      return callApi('GET /v1/notifications/{id}/history', { params: { id }, query }, signal)
    },
    ({ history }) => history,
  )

type NewChannel = Input<Api['POST /v1/notifications']>['body']
type ChannelChange = Input<Api['PUT /v1/notifications/{id}']>['body']

const shown = ['notifications']

export const useCreateChannel = () =>
  useApiMutation(
    shown,
    async (body: NewChannel) => (await callApi('POST /v1/notifications', { body })).notification,
  )

export const useUpdateChannel = (id: string) =>
  useApiMutation(shown, (body: ChannelChange) =>
    callApi('PUT /v1/notifications/{id}', { params: { id }, body }),
  )

export const useTestChannel = (id: string) =>
  useApiMutation(shown, () => callApi('POST /v1/notifications/{id}/test', { params: { id } }))

export const useResumeChannel = (id: string) =>
  useApiMutation(shown, () => callApi('POST /v1/notifications/{id}/resume', { params: { id } }))

export const useSendFiring = (id: string) =>
  useApiMutation(shown, () => callApi('POST /v1/notifications/{id}/send-firing', { params: { id } }))

export const useResendMessage = (id: string) =>
  useApiMutation(shown, (mid: string) =>
    callApi('POST /v1/notifications/{id}/history/{mid}/send', { params: { id, mid } }),
  )

/**
 * Deletes a channel. Queries are invalidated only after `onDone` has left the page, because its channel no longer
 * exists.
 */
export function useDeleteChannel(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('DELETE /v1/notifications/{id}', { params: { id } }),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: shown })
    },
  })
}
