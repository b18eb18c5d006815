import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { callApi } from '../../../lib/http/call-api.ts'

export type Setup = Reply<Api['POST /v1/servers/{id}/setup']>['setup']

/** Fetches the latest setup, or null before the first one. A running setup is polled, because steps cause no event. */
export const setupQuery = (id: string) =>
  queryOptions({
    queryKey: ['servers', 'setup', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/servers/{id}/setup', { params: { id } }, signal)).setup,
    refetchInterval: ({ state }) => isSetupInProgress(state.data) && 1000,
  })

export const isSetupInProgress = (setup: Setup | null | undefined) =>
  setup?.status === 'queued' || setup?.status === 'running'

export function useStartSetup(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /v1/servers/{id}/setup', { params: { id } }),
    onSuccess: ({ setup }) => {
      client.setQueryData(setupQuery(id).queryKey, setup)
      return client.invalidateQueries({ queryKey: ['servers'] })
    },
  })
}
