import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type Alert = Reply<Api['GET /v1/alerts']>['alerts'][number]
export type Incident = Reply<Api['GET /v1/incidents']>['incidents'][number]
export type IncidentDetails = Reply<Api['GET /v1/incidents/{id}']>['incident']
export type Preview = Reply<Api['POST /v1/alerts/preview']>['preview']
export type PreviewBody = Input<Api['POST /v1/alerts/preview']>['body']

export const alertsQuery = (q: string) =>
  listQuery(
    ['alerts', 'list', q],
    (page, signal) => callApi('GET /v1/alerts', { query: { q: q || undefined, ...page } }, signal),
    ({ alerts }) => alerts,
  )

export const incidentsQuery = (state: Incident['state'], q = '') =>
  listQuery(
    ['incidents', 'list', state, q],
    (page, signal) => callApi('GET /v1/incidents', { query: { state, q: q || undefined, ...page } }, signal),
    ({ incidents }) => incidents,
  )

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/incidents/{id}', { params: { id } }, signal)).incident,
  })

export const previewQuery = (body: PreviewBody | undefined) =>
  queryOptions({
    // A key of its own keeps incident events from repeating this expensive request.
    queryKey: ['alert-preview', body?.kind, body] as const,
    queryFn: async ({ signal }) =>
      body ? (await callApi('POST /v1/alerts/preview', { body }, signal)).preview : null,
    enabled: body !== undefined,
    // Keep the chart of the same kind while the user types.
    placeholderData: (before, query) => (query?.queryKey[1] === body?.kind ? before : undefined),
    meta: { quiet: true },
  })

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

/** Mutes the alert for the given number of seconds; null ends the mute. */
export const useMuteAlert = (id: string) =>
  useApiMutation(shown, (seconds: number | null) =>
    callApi('POST /v1/alerts/{id}/mute', { params: { id }, body: { seconds } }),
  )

export const useMuteIncident = (id: string) =>
  useApiMutation(['incidents'], (seconds: number | null) =>
    callApi('POST /v1/incidents/{id}/mute', { params: { id }, body: { seconds } }),
  )
