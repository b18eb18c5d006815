import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

export type Service = Reply<Api['GET /v1/applications/{id}/services']>['services'][number]

export const servicesQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['applications', 'services', applicationId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/services', { params: { id: applicationId } }, signal))
        .services,
    meta: { quiet: true },
    retry: false,
    // CPU and memory change without an event.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : 10_000),
  })
