import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { nextPage } from '../../lib/http/paging.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type Registry = Reply<Api['GET /v1/registries']>['registries'][number]
type NewRegistry = Input<Api['POST /v1/registries']>['body']
type RegistryChange = Input<Api['PUT /v1/registries/{id}']>['body']

const shown = ['registries', 'list']

export const registriesQuery = listQuery(
  shown,
  (page, signal) => callApi('GET /v1/registries', { query: { ...page, limit: 200 } }, signal),
  ({ registries }) => registries,
)

export const useCreateRegistry = () =>
  useApiMutation(
    ['registries'],
    async (body: NewRegistry) => (await callApi('POST /v1/registries', { body })).registry,
  )

export const useUpdateRegistry = (id: string) =>
  useApiMutation(
    ['registries'],
    async (body: RegistryChange) =>
      (await callApi('PUT /v1/registries/{id}', { params: { id }, body })).registry,
  )

export const useTestRegistry = () =>
  useApiMutation(
    shown,
    async (id: string) => (await callApi('POST /v1/registries/{id}/test', { params: { id } })).registry,
  )

export const useDeleteRegistry = () =>
  useApiMutation(['registries'], (id: string) => callApi('DELETE /v1/registries/{id}', { params: { id } }))

export type ImageSearchResult = Reply<Api['GET /v1/docker/search']>['repositories'][number]
export type TagSearchResult = Reply<Api['GET /v1/docker/search/tags']>['tags'][number]

/** Options of a search. The server caches results for minutes, so the browser rarely refetches them. */
const quietQuery = {
  initialPageParam: '1',
  getNextPageParam: nextPage,
  staleTime: 60_000,
  meta: { quiet: true },
  retry: false,
} as const

export const imageSearchQuery = (q: string, registryId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['registries', 'found', registryId ?? '', q],
    queryFn: ({ pageParam, signal }) => {
      const query = { q, page: pageParam, ...(registryId && { registry_id: registryId }) }
      return callApi('GET /v1/docker/search', { query }, signal)
    },
    select: ({ pages }) => ({
      found: pages.flatMap((page) => page.repositories),
      staleSince: pages[0]?.stale_since ?? null,
    }),
    ...quietQuery,
  })

export const tagSearchQuery = (repository: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ['registries', 'tags', repository, q],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /v1/docker/search/tags', { query: { repo_name: repository, q, page: pageParam } }, signal),
    select: ({ pages }) => ({
      found: pages.flatMap((page) => page.tags),
      staleSince: pages[0]?.stale_since ?? null,
    }),
    ...quietQuery,
  })
