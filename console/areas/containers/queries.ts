import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input, Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'

type ContainersPage = Reply<Api['GET /v1/servers/{id}/containers']>
export type ListedContainer = ContainersPage['containers'][number]
export type Container = Omit<ListedContainer, 'controllable'>
export type ContainerDetails = Reply<Api['GET /v1/servers/{id}/containers/{cid}']>['container']

const listKey = (serverId: string) => ['containers', 'list', serverId] as const

/** The API has already retried the connection to the server, so do not retry the request. */
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
    retry: false,
    // CPU and memory change without an event, so poll, unless the server is unreachable.
    refetchInterval: ({ state }) => (state.status === 'error' ? false : 10_000),
  })

export const containerQuery = (serverId: string, id: string) =>
  queryOptions({
    queryKey: ['containers', 'one', serverId, id],
    queryFn: async ({ signal }) =>
      (await callApi('GET /v1/servers/{id}/containers/{cid}', { params: { id: serverId, cid: id } }, signal))
        .container,
    retry: false,
    // Docker never reuses an ID, so stop asking for a removed one. A name may be reused.
    enabled: ({ state }) => !(isNotFound(state.error) && wholeId.test(id)),
  })

const wholeId = /^[0-9a-f]{64}$/

export function findCachedContainer(
  client: QueryClient,
  serverId: string,
  id: string,
): Container | undefined {
  const list = client.getQueryData<InfiniteData<ContainersPage>>(listKey(serverId))
  return list?.pages.flatMap((page) => page.containers).find((container) => container.id === id)
}

type ContainerAction = Input<Api['POST /v1/servers/{id}/containers/{cid}/action']>['body']
export type ContainerVerb = ContainerAction['action']

const actingKey = (serverId: string) => ['containers', 'act', serverId] as const

interface ActionRequest {
  cid: string
  body: ContainerAction
}

/**
 * The action counts as pending until the lists are refreshed. `onDone` runs even if the component has unmounted. If
 * `quiet` is set, the component reports failures itself.
 */
export function useContainerAction(serverId: string, onDone?: () => void, quiet = false) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: actingKey(serverId),
    meta: { quiet },
    mutationFn: ({ cid, body }: ActionRequest) =>
      callApi('POST /v1/servers/{id}/containers/{cid}/action', { params: { id: serverId, cid }, body }),
    onSuccess: () => onDone?.(),
    onSettled: () => client.invalidateQueries({ queryKey: ['containers'] }),
  })
}

/** Returns pending actions by container ID, including those that other components started. */
export function usePendingActions(serverId: string): ReadonlyMap<string, ContainerVerb> {
  const under = useMutationState({
    filters: { mutationKey: actingKey(serverId), status: 'pending' },
    // oxlint-disable-next-line no-unsafe-type-assertion -- only useContainerAction has this key
    select: ({ state }) => state.variables as ActionRequest,
  })
  return new Map(under.map(({ cid, body }) => [cid, body.action]))
}

/** Every read writes an audit event, so the values are read by a mutation, which never refetches by itself. */
export const useContainerEnvironment = (serverId: string, cid: string) =>
  useMutation({
    mutationFn: async () =>
      (
        await callApi('GET /v1/servers/{id}/containers/{cid}/environment', {
          params: { id: serverId, cid },
        })
      ).environment,
    // The values may be secret, so do not cache them.
    gcTime: 0,
  })
