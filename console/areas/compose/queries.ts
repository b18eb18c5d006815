import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'

export type Service = Reply<Api['GET /v1/applications/{id}/services']>['services'][number]

export const servicesQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['applications', 'services', applicationId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/services', { params: { id: applicationId } }, signal))
        .services,
    retry: false,
    // CPU and memory change without an event, so poll.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : 10_000),
  })

export type DeploymentPlan = Reply<Api['GET /v1/applications/{id}/plan']>['plan']

/** Events do not refresh the plan, because each request reads the state of the server. */
export const planQuery = (applicationId: string, releaseId?: string) =>
  queryOptions({
    queryKey: ['plans', applicationId, releaseId],
    queryFn: async ({ signal }) => {
      const given = { params: { id: applicationId }, query: { release_id: releaseId } }
      return (await callApi('GET /v1/applications/{id}/plan', given, signal)).plan
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })

/** The file may contain secrets, so the cache drops it once no page shows it. */
export const composeQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['applications', 'compose', applicationId],
    queryFn: ({ signal }) =>
      callApi('GET /v1/applications/{id}/compose', { params: { id: applicationId } }, signal),
    gcTime: 0,
  })

export const useSaveCompose = (id: string) =>
  useApiMutation(['applications'], (source: { type: string; compose: string; profiles: string[] }) =>
    callApi('PUT /v1/applications/{id}', { params: { id }, body: { source } }),
  )
