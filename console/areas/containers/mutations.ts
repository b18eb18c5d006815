import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

export type ContainerAction = Input<Api['POST /v1/servers/{id}/containers/{cid}/action']>['body']
export type ContainerVerb = ContainerAction['action']

const actingKey = (serverId: string) => ['containers', 'act', serverId] as const

interface ActionRequest {
  cid: string
  body: ContainerAction
}

/**
 * Counts as in progress until the lists are refreshed. `onDone` is called even when the caller has unmounted. With
 * `quiet` the caller reports failures.
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

/** Includes actions started anywhere in this browser, by container ID. */
export function usePendingActions(serverId: string): ReadonlyMap<string, ContainerVerb> {
  const under = useMutationState({
    filters: { mutationKey: actingKey(serverId), status: 'pending' },
    // oxlint-disable-next-line no-unsafe-type-assertion -- only useActOnContainer has this key
    select: ({ state }) => state.variables as ActionRequest,
  })
  return new Map(under.map(({ cid, body }) => [cid, body.action]))
}

/** A mutation, because every read writes an audit event. */
export const useContainerEnvironment = (serverId: string, cid: string) =>
  useMutation({
    mutationFn: async () =>
      (
        await callApi('GET /v1/servers/{id}/containers/{cid}/environment', {
          params: { id: serverId, cid },
        })
      ).environment,
    // Secrets are not cached.
    gcTime: 0,
  })
