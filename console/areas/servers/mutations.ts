import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { type Server, serverQuery } from './queries.ts'

export type NewServer = Input<Api['POST /v1/servers']>['body']
type Order = Input<Api['POST /v1/servers/{id}/provision']>['body']
type ServerChange = Input<Api['PUT /v1/servers/{id}']>['body']

export function useCreateServer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewServer) => callApi('POST /v1/servers', { body }),
    onSuccess: ({ server }) => show(client, server),
    onError: () => askCloudsAgain(client),
  })
}

export function useUpdateServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ServerChange) => callApi('PUT /v1/servers/{id}', { params: { id }, body }),
    onSuccess: ({ server }) => show(client, server),
  })
}

/** The cached server is removed only after `onDone` has left its page. */
export function useDeleteServer(id: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (cloud: 'keep' | 'destroy') =>
      callApi('DELETE /v1/servers/{id}', { params: { id }, query: { cloud } }),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: ['servers'] })
    },
  })
}

export function useProvisionServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Order) => callApi('POST /v1/servers/{id}/provision', { params: { id }, body }),
    onSuccess: ({ server }) => show(client, server),
    onError: () => askCloudsAgain(client),
  })
}

/** Connects to the server. A failure changes its reason, so the server is always refetched. */
export function useConnectServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callApi('POST /v1/servers/{id}/connect', { params: { id } }),
    onSuccess: ({ server }) => show(client, server),
    onError: () => client.invalidateQueries({ queryKey: ['servers'] }),
    meta: { quiet: true },
  })
}

/** Calls `onDone` even if the component is unmounted by then. */
export function useTrustHostKey(id: string, onDone?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (fingerprint: string) =>
      callApi('POST /v1/servers/{id}/host-key', { params: { id }, body: { fingerprint } }),
    onSuccess: ({ server }) => {
      onDone?.()
      return show(client, server)
    },
    onError: () => client.invalidateQueries({ queryKey: ['servers'] }),
    meta: { quiet: true },
  })
}

function show(client: QueryClient, server: Server) {
  client.setQueryData(serverQuery(server.id).queryKey, server)
  return client.invalidateQueries({ queryKey: ['servers'] })
}

/** Offers may have sold out meanwhile. */
const askCloudsAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: ['providers'] })
