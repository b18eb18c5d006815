import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/form/use-api-mutation.ts'

export type NewAlert = Input<Api['POST /v1/alerts']>['body']
type AlertChange = Input<Api['PUT /v1/alerts/{id}']>['body']

const shown = ['alerts']

export const useCreateAlert = () =>
  useApiMutation(shown, async (body: NewAlert) => (await callApi('POST /v1/alerts', { body })).alert)

export const useUpdateAlert = (id: string) =>
  useApiMutation(
    shown,
    async (body: AlertChange) => (await callApi('PUT /v1/alerts/{id}', { params: { id }, body })).alert,
  )

export const useDeleteAlert = () =>
  useApiMutation(shown, (id: string) => callApi('DELETE /v1/alerts/{id}', { params: { id } }))

/** Null ends the mute. */
export const useMuteAlert = (id: string) =>
  useApiMutation(shown, (seconds: number | null) =>
    callApi('POST /v1/alerts/{id}/mute', { params: { id }, body: { seconds } }),
  )

export const useMuteIncident = (id: string) =>
  useApiMutation(['incidents'], (seconds: number | null) =>
    callApi('POST /v1/incidents/{id}/mute', { params: { id }, body: { seconds } }),
  )
