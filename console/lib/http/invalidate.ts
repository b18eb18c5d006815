import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** Queries that are refetched after their first response. */
const late = new WeakSet<Query>()

/**
 * Invalidates queries. A response to a first request that is in flight may be older than the change, and React Query
 * would not refetch it, so this function does so afterwards. The request is not canceled, because frequent events would
 * never let it finish.
 */
export function invalidate(client: QueryClient, filters: QueryFilters = {}): void {
  const first = ({ state }: Query) => state.data === undefined && state.fetchStatus === 'fetching'
  for (const query of client.getQueryCache().findAll({ ...filters, predicate: first })) {
    if (late.has(query)) continue
    late.add(query)
    const again = () => {
      late.delete(query)
      return client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    void query.promise?.then(again, again)
  }
  void client.invalidateQueries(filters)
}
