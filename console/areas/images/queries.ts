import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'

export type Image = Reply<Api['GET /v1/servers/{id}/images']>['images'][number]
export type PrunePreview = Reply<Api['GET /v1/servers/{id}/images/prune']>['prune']
export type Pull = Reply<Api['GET /v1/servers/{id}/pulls']>['pulls'][number]

/** The API has already retried the connection to the server, so do not retry the request. */
export const imagesQuery = (serverId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ['images', 'list', serverId, q],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...pageParams(pageParam), ...(q === '' ? {} : { q }) }
      return callApi('GET /v1/servers/{id}/images', { params: { id: serverId }, query }, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.images),
    retry: false,
  })

/** Pulls in progress are polled, in case the event of their end is lost. */
const pollEvery = 5_000
export const isPullInProgress = ({ status }: Pick<Pull, 'status'>) =>
  status === 'queued' || status === 'running'

export const pullsQuery = (serverId: string) =>
  queryOptions({
    queryKey: ['pulls', 'list', serverId],
    queryFn: async ({ signal }) =>
      (
        await callApi(
          'GET /v1/servers/{id}/pulls',
          { params: { id: serverId }, query: { limit: 20 } },
          signal,
        )
      ).pulls,
    refetchInterval: ({ state }) => (state.data ?? []).some(isPullInProgress) && pollEvery,
  })

export const pullQuery = (serverId: string, id: string) =>
  queryOptions({
    queryKey: ['pulls', 'one', serverId, id],
    queryFn: async ({ signal }) => {
      const params = { id: serverId, pull_id: id }
      return (await callApi('GET /v1/servers/{id}/pulls/{pull_id}', { params }, signal)).pull
    },
    refetchInterval: ({ state }) => state.data !== undefined && isPullInProgress(state.data) && pollEvery,
  })

export function usePullImage(serverId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (image: string) =>
      (await callApi('POST /v1/servers/{id}/images', { params: { id: serverId }, body: { image } })).pull,
    onSuccess: (pull) => {
      client.setQueryData(pullQuery(serverId, pull.id).queryKey, pull)
      void client.invalidateQueries({ queryKey: ['pulls', 'list', serverId] })
    },
  })
}

export function useCancelPull(serverId: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const params = { id: serverId, pull_id: id }
      return (await callApi('POST /v1/servers/{id}/pulls/{pull_id}/cancel', { params })).pull
    },
    onSuccess: (pull) => {
      client.setQueryData(pullQuery(serverId, id).queryKey, pull)
      void client.invalidateQueries({ queryKey: ['pulls', 'list', serverId] })
    },
  })
}

/** Removes an image by its names, because Docker deletes it with the last one. An image without names is removed by ID. */
export function useRemoveImage(serverId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, tags }: Pick<Image, 'id' | 'tags'>) => {
      for (const name of tags.length > 0 ? tags : [id])
        await callApi('DELETE /v1/servers/{id}/image/{name}', { params: { id: serverId, name }, query: {} })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['images'] }),
  })
}

export const pruneQuery = (serverId: string, all: boolean) =>
  queryOptions({
    queryKey: ['images', 'prune', serverId, all],
    queryFn: async ({ signal }) => {
      const input = { params: { id: serverId }, query: { all: String(all) } }
      return (await callApi('GET /v1/servers/{id}/images/prune', input, signal)).prune
    },
    // The user decides by this preview what to delete, so it must be current.
    staleTime: 0,
    retry: false,
  })

export function usePruneImages(serverId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (all: boolean) =>
      (await callApi('POST /v1/servers/{id}/images/prune', { params: { id: serverId }, body: { all } }))
        .prune,
    onSuccess: () => client.invalidateQueries({ queryKey: ['images'] }),
  })
}
