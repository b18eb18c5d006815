import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { listQuery } from '../../lib/http/list-query.ts'

type ServersPage = Reply<Api['GET /v1/servers']>
export type Server = ServersPage['servers'][number]

export const serversQuery = (q: string, project = '') =>
  listQuery(
    ['servers', 'list', q, project],
    (page, signal) =>
      callApi(
        'GET /v1/servers',
        { query: { q: q || undefined, project_id: project || undefined, ...page } },
        signal,
      ),
    ({ servers }) => servers,
    // Usage changes without an event, so poll.
    { refetchInterval: 10_000 },
  )

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: ['servers', 'one', id],
    queryFn: async ({ signal }) => (await callApi('GET /v1/servers/{id}', { params: { id } }, signal)).server,
    // System information and progress change without an event, so poll.
    refetchInterval: ({ state }) => (isChanging(state.data) ? 2000 : 10_000),
  })

const isChanging = (server: Pick<Server, 'status'> | undefined) =>
  server?.status === 'provisioning' || server?.status === 'deleting'

export const serverKeyQuery = (id: string) =>
  queryOptions({
    queryKey: ['servers', 'key', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/servers/{id}/key', { params: { id } }, signal)).key,
    // The SSH key of a server never changes.
    staleTime: 'static',
  })

export function findListedServer(client: QueryClient, id: string): Server | undefined {
  const lists = client.getQueriesData<InfiniteData<ServersPage>>({ queryKey: ['servers', 'list'] })
  return lists
    .flatMap(([, list]) => list?.pages.flatMap((page) => page.servers) ?? [])
    .find((server) => server.id === id)
}

/** Returns the server, from a cached list until it is fetched. */
export function useServer(id: string) {
  const client = useQueryClient()
  return useQuery({ ...serverQuery(id), placeholderData: () => findListedServer(client, id) })
}
