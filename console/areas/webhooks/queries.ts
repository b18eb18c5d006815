import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { listQuery } from '../../lib/http/list-query.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'

export type Delivery = Reply<Api['GET /v1/deliveries']>['deliveries'][number]
export type Hook = Reply<Api['GET /v1/applications/{id}/hook']>['hook']

export const deliveriesQuery = (applicationId: string | undefined, status: Delivery['status'] | '') =>
  listQuery(
    ['deliveries', 'list', applicationId, status],
    (page, signal) => {
      const query = {
        ...page,
        ...(applicationId && { application_id: applicationId }),
        ...(status !== '' && { status }),
      }
      return callApi('GET /v1/deliveries', { query }, signal)
    },
    ({ deliveries }) => deliveries,
  )

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/deliveries/{id}', { params: { id } }, signal)).delivery,
  })

export const useRedeliver = () =>
  useApiMutation(
    ['deliveries'],
    async (id: string) => (await callApi('POST /v1/deliveries/{id}/redeliver', { params: { id } })).delivery,
  )

/** Fetches the deploy hook. It contains a secret, so it is not cached. */
export const hookQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['hooks', applicationId],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/hook', { params: { id: applicationId } }, signal)).hook,
    gcTime: 0,
  })

export function useRotateHook(applicationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      (await callApi('POST /v1/applications/{id}/hook/rotate', { params: { id: applicationId } })).hook,
    onSuccess: (hook) => client.setQueryData(hookQuery(applicationId).queryKey, hook),
  })
}
