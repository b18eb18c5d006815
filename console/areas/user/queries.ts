import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const userQuery = queryOptions({
  queryKey: ['user', 'me'],
  queryFn: async ({ signal }) => (await call('GET /v1/user', undefined, signal)).user,
})

/** The person signed in. The shell loads them before any page, so this does not wait. */
export const useUser = () => useSuspenseQuery(userQuery).data
