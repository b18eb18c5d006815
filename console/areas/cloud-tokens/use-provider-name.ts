import { useQuery } from '@tanstack/react-query'
import { providersQuery } from './queries.ts'

/** Maps hetzner to "Hetzner"; unknown IDs are returned unchanged. */
export function useProviderName(): (id: string) => string {
  const { data } = useQuery(providersQuery)
  return (id) => data?.providers.find((provider) => provider.id === id)?.name ?? id
}
