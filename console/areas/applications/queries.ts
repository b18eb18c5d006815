import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'
import { firstPage, nextPage, pageAt } from '../../lib/http/paging.ts'

export type Application = Reply<Api['GET /v1/applications']>['applications'][number]

/** Page by page; `q` searches by name, `project` narrows to those of one. */
export const applicationsQuery = (q: string, project = '') =>
  listQuery([q, '', project], { q: q || undefined, project_id: project || undefined })

/** Those on one server. */
export const applicationsOnQuery = (serverId: string) => listQuery(['', serverId], { server_id: serverId })

interface Narrowed {
  q?: string | undefined
  server_id?: string
  project_id?: string | undefined
}

const listQuery = (which: readonly string[], query: Narrowed) =>
  infiniteQueryOptions({
    queryKey: ['applications', 'list', ...which],
    queryFn: ({ pageParam, signal }) =>
      call('GET /v1/applications', { query: { ...query, ...pageAt(pageParam) } }, signal),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.applications),
  })

export type ApplicationDetails = Reply<Api['GET /v1/applications/{id}']>['application']

/** One application. */
export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'one', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/applications/{id}', { params: { id } }, signal)).application,
    meta: { quiet: true },
  })

export type ApplicationContainer = Reply<Api['GET /v1/applications/{id}/containers']>['containers'][number]

/** Its containers, as Docker sees them. */
export const applicationContainersQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'containers', id],
    queryFn: async ({ signal }) =>
      (await call('GET /v1/applications/{id}/containers', { params: { id } }, signal)).containers,
    meta: { quiet: true },
    retry: false,
    // CPU and memory change without an event.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : 10_000),
  })

export type ApplicationNetworks = Reply<Api['GET /v1/applications/{id}/networks']>

export const applicationNetworksQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'networks', id],
    queryFn: ({ signal }) => call('GET /v1/applications/{id}/networks', { params: { id } }, signal),
    meta: { quiet: true },
  })

export type ApplicationVolume = Reply<Api['GET /v1/applications/{id}/volumes']>['volumes'][number]

/** What is mounted into its containers. The server takes its time to count sizes, so that no event asks for them again. */
export const volumesQuery = (id: string, sizes = false) =>
  queryOptions({
    queryKey: sizes ? ['volume-sizes', id] : ['applications', 'volumes', id],
    queryFn: async ({ signal }) => {
      const given = { params: { id }, query: { sizes: String(sizes) } }
      return (await call('GET /v1/applications/{id}/volumes', given, signal)).volumes
    },
    meta: { quiet: true },
    retry: false,
    ...(sizes && { staleTime: 0 }),
  })
