import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

const hour = 3_600_000

/**
 * Fetches the import command for a new or an existing server. The command is created when it is first shown and reused
 * until it expires.
 */
export const importTokenQuery = (serverId?: string) =>
  queryOptions({
    queryKey: ['imports', 'token', serverId],
    queryFn: async () => {
      const body = serverId === undefined ? {} : { server_id: serverId }
      const { command, expires_at: expires } = await callApi('POST /v1/import/token', { body })
      return { command, expires_at: expires, made_at: new Date(Date.parse(expires) - hour).toISOString() }
    },
    staleTime: 'static',
    // The token is a secret and expires after an hour.
    gcTime: hour,
  })

/** Lists servers that were added after the given time and have connected, oldest first. */
export const importedServersQuery = (since: string) =>
  queryOptions({
    // Server events invalidate this query because of its key prefix.
    queryKey: ['servers', 'arrivals', since],
    queryFn: async ({ signal }) => {
      const { servers } = await callApi('GET /v1/servers', { query: { limit: 200 } }, signal)
      return servers
        .filter(({ created_at: at, host_key: key }) => at >= since && key !== null)
        .toSorted((a, b) => a.created_at.localeCompare(b.created_at))
    },
  })

export interface SelectedToken {
  id: string
  provider: string
}

export type AccountServer = Reply<Api['POST /v1/providers/{p}/servers']>['servers'][number]

/** Lists the servers of a cloud account. Changes at the provider cause no event, so the result is not cached. */
export const accountServersQuery = ({ id, provider }: SelectedToken) =>
  queryOptions({
    queryKey: ['providers', 'servers', id],
    queryFn: async ({ signal }) => {
      const input = { params: { p: provider }, body: { cloud_token_id: id } }
      return (await callApi('POST /v1/providers/{p}/servers', input, signal)).servers
    },
    staleTime: 0,
  })

export function useImportAccountServers({ id, provider }: SelectedToken) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (servers: string[]) => {
      const input = { params: { p: provider }, body: { cloud_token_id: id, servers } }
      const made = await callApi('POST /v1/providers/{p}/import', input)
      return made.servers.map((server) => server.id)
    },
    onSettled: () =>
      Promise.all(
        [['servers'], accountServersQuery({ id, provider }).queryKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
