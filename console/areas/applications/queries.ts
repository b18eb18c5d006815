import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import { listQuery } from '../../lib/http/list-query.ts'

export type Application = Reply<Api['GET /v1/applications']>['applications'][number]

export const applicationsQuery = (q: string, project = '') =>
  filteredQuery([q, '', project], { q: q || undefined, project_id: project || undefined })

export const serverApplicationsQuery = (serverId: string) =>
  filteredQuery(['', serverId], { server_id: serverId })

interface ApplicationFilter {
  q?: string | undefined
  server_id?: string
  project_id?: string | undefined
}

const filteredQuery = (key: readonly string[], filter: ApplicationFilter) =>
  listQuery(
    ['applications', 'list', ...key],
    (page, signal) => callApi('GET /v1/applications', { query: { ...filter, ...page } }, signal),
    ({ applications }) => applications,
    // CPU and memory change without an event, so poll.
    { refetchInterval: 30_000 },
  )

export type HomeApplication = Reply<Api['GET /v1/home/applications']>['applications'][number]

export const homeApplicationsQuery = queryOptions({
  queryKey: ['applications', 'home'],
  queryFn: async ({ signal }) => (await callApi('GET /v1/home/applications', undefined, signal)).applications,
  // Request counts change without an event, so poll.
  refetchInterval: 60_000,
})

export type ApplicationDetails = Reply<Api['GET /v1/applications/{id}']>['application']

export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'one', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}', { params: { id } }, signal)).application,
    // No event marks when a restarted container has run long enough to count as stable, so poll.
    refetchInterval: ({ state }) => (state.data?.containers.restarts ? 10_000 : false),
  })

export type ApplicationContainer = Reply<Api['GET /v1/applications/{id}/containers']>['containers'][number]

export const applicationContainersQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'containers', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/containers', { params: { id } }, signal)).containers,
    retry: false,
    // CPU and memory change without an event, so poll.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : 10_000),
  })

export type ApplicationNetworks = Reply<Api['GET /v1/applications/{id}/networks']>

export const applicationNetworksQuery = (id: string) =>
  queryOptions({
    queryKey: ['applications', 'networks', id],
    queryFn: ({ signal }) => callApi('GET /v1/applications/{id}/networks', { params: { id } }, signal),
  })

export type ApplicationVolume = Reply<Api['GET /v1/applications/{id}/volumes']>['volumes'][number]

/** Measuring sizes takes long, so events do not refetch them. */
export const volumesQuery = (id: string, sizes = false) =>
  queryOptions({
    queryKey: sizes ? ['volume-sizes', id] : ['applications', 'volumes', id],
    queryFn: async ({ signal }) => {
      const input = { params: { id }, query: { sizes: String(sizes) } }
      return (await callApi('GET /v1/applications/{id}/volumes', input, signal)).volumes
    },
    retry: false,
    ...(sizes && { staleTime: 0 }),
  })

export type ApplicationChange = Input<Api['PUT /v1/applications/{id}']>['body']

export const useUpdateApplication = (id: string) =>
  useApiMutation(['applications'], (body: ApplicationChange) =>
    callApi('PUT /v1/applications/{id}', { params: { id }, body }),
  )

export type PublishedPort = Reply<Api['GET /v1/applications/{id}/ports']>['ports'][number]

const shown = ['applications']

export const portsQuery = (id: string) =>
  queryOptions({
    queryKey: [...shown, 'ports', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/applications/{id}/ports', { params: { id } }, signal)).ports,
  })

/** `ports` is text with one mapping per line. */
export const usePublishPorts = (id: string) =>
  useApiMutation(
    shown,
    (ports: string) => callApi('POST /v1/applications/{id}/ports', { params: { id }, body: { ports } }),
    true,
  )

export const useRemovePort = (id: string) =>
  useApiMutation(shown, (portId: string) =>
    callApi('DELETE /v1/applications/{id}/ports/{port_id}', { params: { id, port_id: portId } }),
  )
