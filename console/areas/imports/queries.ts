import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { call } from '../../lib/http/call.ts'

const hour = 3_600_000

/**
 * The line to paste, for a server that is here already or for a new one. It is made when somebody looks at it, and stays the
 * same for as long as it serves.
 */
export const importTokenQuery = (serverId?: string) =>
  queryOptions({
    queryKey: ['imports', 'token', serverId],
    queryFn: async () => {
      const body = serverId === undefined ? {} : { server_id: serverId }
      const { command, expires_at: expires } = await call('POST /v1/import/token', { body })
      return { command, expires_at: expires, made_at: new Date(Date.parse(expires) - hour).toISOString() }
    },
    staleTime: 'static',
    // A secret: not kept beyond the hour in which it means something.
    gcTime: hour,
    meta: { quiet: true },
  })

/** Servers that came since then, oldest first. */
export const arrivalsQuery = (since: string) =>
  queryOptions({
    // Events about servers have it asked again, like every other list of them.
    queryKey: ['servers', 'arrivals', since],
    queryFn: async ({ signal }) => {
      const { servers } = await call('GET /v1/servers', { query: { limit: 200 } }, signal)
      return servers
        .filter(({ created_at: at, host_key: key }) => at >= since && key !== null)
        .toSorted((a, b) => a.created_at.localeCompare(b.created_at))
    },
    meta: { quiet: true },
  })

/** What an account at a cloud is known by. */
export interface PickedToken {
  id: string
  provider: string
}

export type AccountServer = Reply<Api['POST /v1/providers/{p}/servers']>['servers'][number]

/** All servers of a cloud account. Nothing tells of what becomes of them there, so that a look is never an old one. */
export const accountServersQuery = ({ id, provider }: PickedToken) =>
  queryOptions({
    queryKey: ['providers', 'servers', id],
    queryFn: async ({ signal }) => {
      const given = { params: { p: provider }, body: { cloud_token_id: id } }
      return (await call('POST /v1/providers/{p}/servers', given, signal)).servers
    },
    staleTime: 0,
    meta: { quiet: true },
  })

/** They are pending then; answers with their ids here. */
export function useImportAccountServers({ id, provider }: PickedToken) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (servers: string[]) => {
      const given = { params: { p: provider }, body: { cloud_token_id: id, servers } }
      const made = await call('POST /v1/providers/{p}/import', given)
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
