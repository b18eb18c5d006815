import { useQuery, useQueryClient } from '@tanstack/react-query'
import { findListed, serverQuery } from './queries.ts'

/** A server; as a list has shown it, until the answer comes. */
export function useServer(id: string) {
  const client = useQueryClient()
  return useQuery({ ...serverQuery(id), placeholderData: () => findListed(client, id) })
}
