import {
  type InfiniteData,
  type QueryClient,
  infiniteQueryOptions,
  queryOptions,
} from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'

type ContainersPage = Reply<Api['GET /v1/servers/{id}/containers']>
export type ListedContainer = ContainersPage['containers'][number]
export type Container = Omit<ListedContainer, 'controllable'>
export type ContainerDetails = Reply<Api['GET /v1/servers/{id}/containers/{cid}']>['container']

const listKey = (serverId: string) => ['containers', 'list', serverId] as const

/** No retries, because the server has already retried the connection. */
export const containersQuery = (serverId: string) =>
  infiniteQueryOptions({
    queryKey: listKey(serverId),
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'GET /v1/servers/{id}/containers',
        { params: { id: serverId }, query: pageParams(pageParam) },
        signal,
      ),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.containers),
    meta: { quiet: true },
    retry: false,
    // CPU and memory change without an event. An unreachable server has none.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : 10_000),
  })

/** Includes all details of Docker. */
export const containerQuery = (serverId: string, id: string) =>
  queryOptions({
    queryKey: ['containers', 'one', serverId, id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/servers/{id}/containers/{cid}', { params: { id: serverId, cid: id } }, signal))
        .container,
    meta: { quiet: true },
    retry: false,
    // A removed ID never returns, but a name may.
    enabled: ({ state }) => !(isNotFound(state.error) && wholeId.test(id)),
  })

const wholeId = /^[0-9a-f]{64}$/

/** Last known state from the list. */
export function findCachedContainer(
  client: QueryClient,
  serverId: string,
  id: string,
): Container | undefined {
  const list = client.getQueryData<InfiniteData<ContainersPage>>(listKey(serverId))
  return list?.pages.flatMap((page) => page.containers).find((container) => container.id === id)
}
