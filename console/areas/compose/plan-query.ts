import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'

export type Plan = Reply<Api['GET /v1/applications/{id}/plan']>['plan']

/**
 * What deploying it would do with each service, or going back to a release. It is made anew whenever somebody asks:
 * the server is read for it, so that no event asks for it again by itself.
 */
export const planQuery = (applicationId: string, releaseId?: string) =>
  queryOptions({
    queryKey: ['plans', applicationId, releaseId],
    queryFn: async ({ signal }) => {
      const given = { params: { id: applicationId }, query: { release_id: releaseId } }
      return (await call('GET /v1/applications/{id}/plan', given, signal)).plan
    },
    meta: { quiet: true },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
