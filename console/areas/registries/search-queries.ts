import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { nextPage } from '../../lib/http/paging.ts'

export type ImageSearchResult = Reply<Api['GET /v1/docker/search']>['repositories'][number]
export type TagSearchResult = Reply<Api['GET /v1/docker/search/tags']>['tags'][number]

/** The server caches results for minutes. */
const asked = {
  initialPageParam: '1',
  getNextPageParam: nextPage,
  staleTime: 60_000,
  meta: { quiet: true },
  retry: false,
} as const

/** Searches Docker Hub unless a registry is given. */
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
    ...asked,
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
    ...asked,
  })
