import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { type Server, serverQuery } from './queries.ts'

export type NewServer = Input<Api['POST /v1/servers']>['body']
type Order = Input<Api['POST /v1/servers/{id}/provision']>['body']
type ServerChange = Input<Api['PUT /v1/servers/{id}']>['body']

export const useCreateServer = () =>
  useServerMutation((body: NewServer) => callApi('POST /v1/servers', { body }), refetchOffers)

export const useUpdateServer = (id: string) =>
  useServerMutation((body: ServerChange) => callApi('PUT /v1/servers/{id}', { params: { id }, body }))

/** Calls `onDone` before refetching, because the page of the deleted server would refetch that server. */
export function useDeleteServer(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (cloud: 'keep' | 'destroy') =>
      callApi('DELETE /v1/servers/{id}', { params: { id }, query: { cloud } }),
    onSuccess: () => {
      onDone()
      return refetchServers(client)
    },
  })
}

export const useProvisionServer = (id: string) =>
  useServerMutation(
    (body: Order) => callApi('POST /v1/servers/{id}/provision', { params: { id }, body }),
    refetchOffers,
  )

/** A failed connection changes the reason that the server shows, so refetch the server even then. */
export const useConnectServer = (id: string) =>
  useServerMutation(() => callApi('POST /v1/servers/{id}/connect', { params: { id } }), refetchServers, true)

/** A reboot is sent as a command, so that it is limited to admins and appears in the command history. */
export const useRebootServer = (id: string) =>
  useMutation({
    mutationFn: () =>
      callApi('POST /v1/servers/{id}/command', {
        params: { id },
        body: { command: 'systemctl reboot || reboot', wait: false },
      }),
  })

/** Calls `onDone` even if the component has unmounted by then. */
export const useTrustHostKey = (id: string, onDone?: () => void) =>
  useServerMutation(
    async (fingerprint: string) => {
      const reply = await callApi('POST /v1/servers/{id}/host-key', { params: { id }, body: { fingerprint } })
      onDone?.()
      return reply
    },
    refetchServers,
    true,
  )

function useServerMutation<Body = void>(
  change: (body: Body) => Promise<{ server: Server }>,
  onFailure?: (client: QueryClient) => Promise<void>,
  quiet = false,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: ({ server }) => {
      client.setQueryData(serverQuery(server.id).queryKey, server)
      return refetchServers(client)
    },
    onError: () => onFailure?.(client),
    meta: { quiet },
  })
}

const refetchServers = (client: QueryClient) => client.invalidateQueries({ queryKey: ['servers'] })

/** A request for a server may fail because its type has sold out, so refetch the offers. */
const refetchOffers = (client: QueryClient) => client.invalidateQueries({ queryKey: ['providers'] })
