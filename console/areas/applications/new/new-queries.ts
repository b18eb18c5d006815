import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useDebounced } from '../../../lib/form/use-debounced.ts'
import type { Api } from '../../../../contract/api.ts'
import type { Reply } from '../../../../contract/endpoint.ts'
import { callApi } from '../../../lib/http/call-api.ts'
import { type NewApplication, toRequestBody, validateDraft } from './new-body.ts'
import type { NewApplicationDraft } from './new-draft.ts'
import { useApiMutation } from '../../../lib/http/use-api-mutation.ts'

export type Review = Reply<Api['POST /v1/applications/review']>['review']

/** Reviews the draft once it is complete, and keeps the last review until the next one arrives. */
export function useReview(draft: NewApplicationDraft) {
  const settled = useDebounced(draft, 400)
  const isComplete = Object.keys(validateDraft(settled)).length === 0
  const { data, error } = useQuery({
    ...reviewQuery(isComplete ? toRequestBody(settled) : undefined),
    placeholderData: (before) => before,
  })
  return isComplete ? { review: data, error } : { review: undefined, error: null }
}

const reviewQuery = (body: NewApplication | undefined) =>
  queryOptions({
    queryKey: ['review', body],
    queryFn: body
      ? async ({ signal }) => (await callApi('POST /v1/applications/review', { body }, signal)).review
      : skipToken,
    staleTime: 10_000,
    // The query key contains environment variables, which may be secret, so drop it from the cache soon.
    gcTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  })

export const useCreateApplication = () =>
  useApiMutation(['applications'], (body: NewApplication) => callApi('POST /v1/applications', { body }))

type Created = Reply<Api['POST /v1/applications']>

/** Deploys exactly the created revision. The server rejects the deployment if the configuration has changed since. */
export const useFirstDeployment = () =>
  useMutation({
    mutationFn: async ({ application: { id }, revision }: Created) => {
      const input = { params: { id }, body: { revision: revision ?? undefined } }
      return (await callApi('POST /v1/applications/{id}/deploy', input)).deployment
    },
  })
