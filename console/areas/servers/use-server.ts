import { useQuery, useQueryClient } from '@tanstack/react-query'
import { findListedServer, serverQuery } from './queries.ts'

/** Returns the server, from a cached list until it is fetched. */
export function useServer(id: string) {
  const client = useQueryClient()
  return useQuery({ ...serverQuery(id), placeholderData: () => findListedServer(client, id) })
}
