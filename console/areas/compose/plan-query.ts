import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

export type DeploymentPlan = Reply<Api['GET /v1/applications/{id}/plan']>['plan']

/** Not refreshed by events, because it reads the server each time. */
export const planQuery = (applicationId: string, releaseId?: string) =>
  queryOptions({
    queryKey: ['plans', applicationId, releaseId],
    queryFn: async ({ signal }) => {
      const given = { params: { id: applicationId }, query: { release_id: releaseId } }
      return (await callApi('GET /v1/applications/{id}/plan', given, signal)).plan
    },
    meta: { quiet: true },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
