import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** Those that are asked for once more as soon as their first answer is there. */
const late = new WeakSet<Query>()

/**
 * Has what something touched ask again. What is on its way for the first time would be left as it is, though it may have
 * been read before the change: it asks once more when it is there. It is not broken off: where much happens, it would
 * never get to its end.
 */
export function askAgain(client: QueryClient, filters: QueryFilters = {}): void {
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
