import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/form/use-api-mutation.ts'

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

export const useResendMessage = (id: string) =>
  useApiMutation(shown, (mid: string) =>
    callApi('POST /v1/notifications/{id}/history/{mid}/send', { params: { id, mid } }),
  )

/** Invalidates after `onDone` has left the page, because the channel no longer exists. */
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
