import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'

export type Repository = Reply<Api['GET /v1/integrations/{id}/repositories']>['repositories'][number]
export type Inspection = Reply<Api['GET /v1/integrations/{id}/inspection']>['inspection']

/** The server has already retried; let the user retry. */
const asked = { meta: { quiet: true }, retry: false } as const

export const repositoriesQuery = (integrationId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ['integrations', 'repositories', integrationId, q],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...pageParams(pageParam), ...(q === '' ? {} : { q }) }
      return callApi(
        'GET /v1/integrations/{id}/repositories',
        { params: { id: integrationId }, query },
        signal,
      )
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.repositories),
    ...asked,
  })

export const branchesQuery = (integrationId: string, repository: string) =>
  queryOptions({
    queryKey: ['integrations', 'branches', integrationId, repository],
    queryFn: async ({ signal }) => {
      const input = { params: { id: integrationId }, query: { repository } }
      return (await callApi('GET /v1/integrations/{id}/branches', input, signal)).branches
    },
    enabled: integrationId !== '' && repository !== '',
    ...asked,
  })

export const inspectionQuery = (
  integrationId: string,
  place: { repository: string; branch: string; folder: string },
) =>
  queryOptions({
    queryKey: ['integrations', 'inspection', integrationId, place],
    queryFn: async ({ signal }) => {
      const input = { params: { id: integrationId }, query: place }
      return (await callApi('GET /v1/integrations/{id}/inspection', input, signal)).inspection
    },
    enabled: integrationId !== '' && place.repository !== '' && place.branch !== '',
    staleTime: 30_000,
    ...asked,
  })
