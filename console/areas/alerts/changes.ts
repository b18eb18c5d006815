import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { useChange } from '../../lib/form/use-change.ts'

export type NewAlert = Input<Api['POST /v1/alerts']>['body']
type AlertChange = Input<Api['PUT /v1/alerts/{id}']>['body']

const shown = ['alerts']

export const useCreateAlert = () =>
  useChange(shown, async (body: NewAlert) => (await call('POST /v1/alerts', { body })).alert)

export const useUpdateAlert = (id: string) =>
  useChange(
    shown,
    async (body: AlertChange) => (await call('PUT /v1/alerts/{id}', { params: { id }, body })).alert,
  )

export const useDeleteAlert = () =>
  useChange(shown, (id: string) => call('DELETE /v1/alerts/{id}', { params: { id } }))

/** Null ends the mute. */
export const useMuteAlert = (id: string) =>
  useChange(shown, (seconds: number | null) =>
    call('POST /v1/alerts/{id}/mute', { params: { id }, body: { seconds } }),
  )

export const useMuteIncident = (id: string) =>
  useChange(['incidents'], (seconds: number | null) =>
    call('POST /v1/incidents/{id}/mute', { params: { id }, body: { seconds } }),
  )
