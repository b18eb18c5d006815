import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { firstPage, nextPage, pageParams } from '../../lib/http/paging.ts'

export type Command = Reply<Api['GET /v1/servers/{id}/commands']>['commands'][number]
export type CommandWithOutput = Reply<Api['GET /v1/servers/{id}/commands/{command_id}']>['command']

/** Interval for running commands, in case their end event is missed. */
const pollEvery = 5_000
const isRunning = ({ status }: Pick<Command, 'status'>) => status === 'running'

export const commandsQuery = (serverId: string, containerId?: string) =>
  infiniteQueryOptions({
    queryKey: ['commands', 'list', serverId, containerId],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...pageParams(pageParam), container_id: containerId }
      return callApi('GET /v1/servers/{id}/commands', { params: { id: serverId }, query }, signal)
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    select: (data) => data.pages.flatMap((page) => page.commands),
    refetchInterval: ({ state }) =>
      (state.data?.pages.flatMap((page) => page.commands) ?? []).some(isRunning) && pollEvery,
  })

export const commandQuery = (serverId: string, id: string) =>
  queryOptions({
    queryKey: ['commands', 'one', serverId, id],
    queryFn: async ({ signal }) => {
      const params = { id: serverId, command_id: id }
      return (await callApi('GET /v1/servers/{id}/commands/{command_id}', { params }, signal)).command
    },
    refetchInterval: ({ state }) => state.data !== undefined && isRunning(state.data) && pollEvery,
  })

export interface NewCommand {
  command: string
  timeout_seconds: number
}

/** Starts a command. The request returns immediately; the output is streamed separately. */
export function useRunCommand(serverId: string, containerId?: string | null) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (command: NewCommand) => {
      const sent = { params: { id: serverId }, body: { ...command, wait: false } }
      if (!containerId) return (await callApi('POST /v1/servers/{id}/command', sent)).command
      const inside = { ...sent, params: { id: serverId, cid: containerId } }
      return (await callApi('POST /v1/servers/{id}/containers/{cid}/command', inside)).command
    },
    onSuccess: (command) => {
      client.setQueryData(commandQuery(serverId, command.id).queryKey, command)
      void client.invalidateQueries({ queryKey: ['commands', 'list', serverId] })
    },
    // The prompt shows the error beside it.
    meta: { quiet: true },
  })
}

export function useCancelCommand(serverId: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const params = { id: serverId, command_id: id }
      return (await callApi('POST /v1/servers/{id}/commands/{command_id}/cancel', { params })).command
    },
    onSuccess: (command) => {
      client.setQueryData(commandQuery(serverId, id).queryKey, command)
      void client.invalidateQueries({ queryKey: ['commands'] })
    },
  })
}
