import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** Queries to refetch after their first response. */
const late = new WeakSet<Query>()

/**
 * Invalidates queries. React Query does not refetch a query whose first request is in flight, though the response may
 * predate the change: such a query is refetched afterwards. It is not canceled, since frequent events would starve it.
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
