import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { useChange } from '../../lib/form/use-change.ts'

type NewChannel = Input<Api['POST /v1/notifications']>['body']
type ChannelChange = Input<Api['PUT /v1/notifications/{id}']>['body']

const shown = ['notifications']

export const useCreateChannel = () =>
  useChange(shown, async (body: NewChannel) => (await call('POST /v1/notifications', { body })).notification)

export const useUpdateChannel = (id: string) =>
  useChange(shown, (body: ChannelChange) => call('PUT /v1/notifications/{id}', { params: { id }, body }))

export const useTestChannel = (id: string) =>
  useChange(shown, () => call('POST /v1/notifications/{id}/test', { params: { id } }))

export const useResumeChannel = (id: string) =>
  useChange(shown, () => call('POST /v1/notifications/{id}/resume', { params: { id } }))

export const useResendMessage = (id: string) =>
  useChange(shown, (mid: string) =>
    call('POST /v1/notifications/{id}/history/{mid}/send', { params: { id, mid } }),
  )

/** Invalidates after `onDone` has left the page, because the channel no longer exists. */
export function useDeleteChannel(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('DELETE /v1/notifications/{id}', { params: { id } }),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: shown })
    },
  })
}
