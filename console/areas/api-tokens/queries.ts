import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage } from '../../lib/http/paging.ts'

export type ApiToken = Reply<Api['GET /v1/api-tokens']>['api_tokens'][number]
type NewToken = Input<Api['POST /v1/api-tokens']>['body']

export const apiTokensQuery = infiniteQueryOptions({
  queryKey: ['api-tokens', 'list'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /v1/api-tokens', { query: { cursor: pageParam, limit: 200 } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.api_tokens),
  meta: { quiet: true },
})

export const workspaceTokensQuery = infiniteQueryOptions({
  queryKey: ['api-tokens', 'workspace'],
  queryFn: ({ pageParam, signal }) =>
    callApi('GET /v1/workspaces/api-tokens', { query: { cursor: pageParam, limit: 200 } }, signal),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
  select: (data) => data.pages.flatMap((page) => page.api_tokens),
  meta: { quiet: true },
})

export type LimitKind = 'projects' | 'applications'

export const limitTargetsQuery = (kind: LimitKind) =>
  queryOptions({
    queryKey: [kind, 'token-targets'],
    queryFn: async ({ signal }): Promise<{ id: string; name: string }[]> =>
      kind === 'projects'
        ? (await callApi('GET /v1/projects', { query: { limit: 200 } }, signal)).projects
        : (await callApi('GET /v1/applications', { query: { limit: 200 } }, signal)).applications,
    meta: { quiet: true },
  })

export function useCreateApiToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewToken) => callApi('POST /v1/api-tokens', { body }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-tokens'] }),
  })
}

export function useDeleteApiToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callApi('DELETE /v1/api-tokens/{id}', { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-tokens'] }),
  })
}
