import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'

export type ContainerAction = Input<Api['POST /v1/servers/{id}/containers/{cid}/action']>['body']
export type ContainerVerb = ContainerAction['action']

const actingKey = (serverId: string) => ['containers', 'act', serverId] as const

interface ActionRequest {
  cid: string
  body: ContainerAction
}

/**
 * Acts on a container of the server. It counts as under way until what is shown has been asked for again. Whoever asks
 * for it may be gone from the screen by then, as a removed container is: `onDone` is called all the same. Who is quiet
 * tells of a failure themselves.
 */
export function useContainerAction(serverId: string, onDone?: () => void, quiet = false) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: actingKey(serverId),
    meta: { quiet },
    mutationFn: ({ cid, body }: ActionRequest) =>
      call('POST /v1/servers/{id}/containers/{cid}/action', { params: { id: serverId, cid }, body }),
    onSuccess: () => onDone?.(),
    onSettled: () => client.invalidateQueries({ queryKey: ['containers'] }),
  })
}

/** What is being done to the containers of the server from this browser, by their ids, wherever it was begun. */
export function usePendingActions(serverId: string): ReadonlyMap<string, ContainerVerb> {
  const under = useMutationState({
    filters: { mutationKey: actingKey(serverId), status: 'pending' },
    // oxlint-disable-next-line no-unsafe-type-assertion -- only useActOnContainer has this key
    select: ({ state }) => state.variables as ActionRequest,
  })
  return new Map(under.map(({ cid, body }) => [cid, body.action]))
}

/** The values of its environment, which are never asked for but by a press, since whoever asks is recorded. */
export const useContainerEnvironment = (serverId: string, cid: string) =>
  useMutation({
    mutationFn: async () =>
      (
        await call('GET /v1/servers/{id}/containers/{cid}/environment', {
          params: { id: serverId, cid },
        })
      ).environment,
    // What was shown is not kept anywhere once it is out of sight.
    gcTime: 0,
  })
