import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

const hour = 3_600_000

/** The line to paste. It is made when somebody looks at it, and stays the same for as long as it serves. */
export const importTokenQuery = queryOptions({
  queryKey: ['imports', 'token'],
  queryFn: async () => {
    const { command, expires_at: expires } = await call('POST /v1/import/token', { body: {} })
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
