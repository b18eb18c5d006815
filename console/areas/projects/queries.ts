import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'

export type Project = Reply<Api['GET /v1/projects']>['projects'][number]

export const projectsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /v1/projects', { query: { q: q || undefined, ...pageParams(pageParam) } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.projects),
  })

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/projects/{id}', { params: { id } }, signal)).project,
    meta: { quiet: true },
  })
