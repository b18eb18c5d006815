import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { listQuery } from '../../lib/http/list-query.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'

export type ApiToken = Reply<Api['GET /v1/api-tokens']>['api_tokens'][number]
type NewToken = Input<Api['POST /v1/api-tokens']>['body']

export const apiTokensQuery = listQuery(
  ['api-tokens', 'list'],
  (page, signal) => callApi('GET /v1/api-tokens', { query: { ...page, limit: 200 } }, signal),
  ({ api_tokens }) => api_tokens,
)

export const workspaceTokensQuery = listQuery(
  ['api-tokens', 'workspace'],
  (page, signal) => callApi('GET /v1/workspaces/api-tokens', { query: { ...page, limit: 200 } }, signal),
  ({ api_tokens }) => api_tokens,
)

export type LimitKind = 'projects' | 'applications'

export const limitTargetsQuery = (kind: LimitKind) =>
  queryOptions({
    queryKey: [kind, 'token-targets'],
    queryFn: async ({ signal }): Promise<{ id: string; name: string }[]> =>
      kind === 'projects'
        ? (await callApi('GET /v1/projects', { query: { limit: 200 } }, signal)).projects
        : (await callApi('GET /v1/applications', { query: { limit: 200 } }, signal)).applications,
  })

export function useCreateApiToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewToken) => callApi('POST /v1/api-tokens', { body }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ['api-tokens'] }),
  })
}

export const useRevokeApiToken = () =>
  useApiMutation(['api-tokens'], (id: string) => callApi('DELETE /v1/api-tokens/{id}', { params: { id } }))
