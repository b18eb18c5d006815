import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import { useParam } from '../../lib/use-param.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type CloudToken = Reply<Api['GET /v1/cloud-tokens']>['cloud_tokens'][number]
type NewCloudToken = Input<Api['POST /v1/cloud-tokens']>['body']
type CloudTokenChange = Input<Api['PUT /v1/cloud-tokens/{id}']>['body']

const shown = ['cloud-tokens', 'list']

export const cloudTokensQuery = listQuery(
  shown,
  (page, signal) => callApi('GET /v1/cloud-tokens', { query: { ...page, limit: 200 } }, signal),
  ({ cloud_tokens }) => cloud_tokens,
)

export const cloudTokenQuery = (id: string) =>
  queryOptions({
    queryKey: ['cloud-tokens', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/cloud-tokens/{id}', { params: { id } }, signal)).cloud_token,
  })

/** Lists the providers, with the reason if servers cannot be created. */
export const providersQuery = queryOptions({
  queryKey: ['providers', 'list'],
  queryFn: ({ signal }) => callApi('GET /v1/providers', undefined, signal),
  // Providers change only with a new version of Slipway.
  staleTime: 5 * 60_000,
})

export const useAddCloudToken = () =>
  useApiMutation(
    shown,
    async (body: NewCloudToken) => (await callApi('POST /v1/cloud-tokens', { body })).cloud_token,
  )

export const useUpdateCloudToken = (id: string) =>
  useApiMutation(
    shown,
    async (body: CloudTokenChange) =>
      (await callApi('PUT /v1/cloud-tokens/{id}', { params: { id }, body })).cloud_token,
  )

export const useCheckCloudToken = () =>
  useApiMutation(
    shown,
    async (id: string) => (await callApi('POST /v1/cloud-tokens/{id}/check', { params: { id } })).cloud_token,
  )

export const useDeleteCloudToken = () =>
  useApiMutation(['cloud-tokens'], (id: string) =>
    callApi('DELETE /v1/cloud-tokens/{id}', { params: { id } }),
  )

/** Returns the cloud token that the URL names, or the only one. */
export function useChosenToken() {
  const query = useInfiniteQuery(cloudTokensQuery)
  useAllPages(query, true)
  const { data: tokens } = query
  const [id] = useParam('token')
  const accepted = tokens?.filter(({ error }) => error === null) ?? []
  const choices = accepted.length > 0 ? accepted : (tokens ?? [])
  const token = tokens?.find((token) => token.id === id) ?? (choices.length === 1 ? choices[0] : undefined)
  return { tokens, token, query }
}

/**
 * Returns a function that maps a provider ID to its name, such as `hetzner` to “Hetzner”. Unknown IDs are returned
 * unchanged.
 */
export function useProviderName(): (id: string) => string {
  const { data } = useQuery(providersQuery)
  return (id) => data?.providers.find((provider) => provider.id === id)?.name ?? id
}
