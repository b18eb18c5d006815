import { useQuery } from '@tanstack/react-query'
import { providersQuery } from './queries.ts'

/** "Hetzner" for hetzner; one that this Slipway does not know is called as it is written. */
export function useProviderName(): (id: string) => string {
  const { data } = useQuery(providersQuery)
  return (id) => data?.providers.find((provider) => provider.id === id)?.name ?? id
}
