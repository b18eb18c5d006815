import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import type { NewApplication } from './new-body.ts'
import { useApiMutation } from '../../../lib/form/use-api-mutation.ts'

export const reviewQuery = (body: NewApplication) =>
  queryOptions({
    queryKey: ['review', body],
    queryFn: async ({ signal }) => (await callApi('POST /v1/applications/review', { body }, signal)).review,
    staleTime: 10_000,
    // The query key contains the environment, so drop it from the cache immediately.
    gcTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })

export const useCreateApplication = () =>
  useApiMutation(['applications'], (body: NewApplication) => callApi('POST /v1/applications', { body }))

type Created = Reply<Api['POST /v1/applications']>

/** Deploys the application as it was created; later changes are not deployed. */
export const useFirstDeployment = () =>
  useMutation({
    mutationFn: async ({ application: { id }, revision }: Created) => {
      const input = { params: { id }, body: { revision: revision ?? undefined } }
      return (await callApi('POST /v1/applications/{id}/deploy', input)).deployment
    },
  })
