import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isNotFound } from './api-error.ts'
import { onPlanRequired, onTokenChange } from './session.ts'
import { notify } from '../notify.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** Suppresses the toast. `test/architecture.test.ts` lists the allowed uses with their reasons. */
    queryMeta: { quiet?: boolean }
    mutationMeta: { quiet?: boolean }
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Pages, dialogs and cards themselves tell that a resource does not exist.
      if (!query.meta?.quiet && !isNotFound(error) && !isRepeated(query)) notify(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (!mutation.meta?.quiet) notify(error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 30 * 60_000,
      networkMode: 'always',
      retry: worthAnotherTry,
      retryDelay: 800,
      // The live stream refetches queries without an error.
      refetchOnReconnect: ({ state }) => state.status === 'error' && 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

onTokenChange(() => queryClient.clear())
// When the plan has ended, the shell redirects to plan selection.
onPlanRequired(() => void queryClient.invalidateQueries({ queryKey: ['workspaces', 'current'] }))

/** Number of successful responses at the time of the last reported failure, by query. */
const reported = new WeakMap<object, number>()

/** Returns whether the failure was already reported. A polled query that fails again and again is reported once. */
function isRepeated(query: Query<unknown, unknown>): boolean {
  const { dataUpdateCount } = query.state
  if (reported.get(query) === dataUpdateCount) return true
  reported.set(query, dataUpdateCount)
  return false
}

function worthAnotherTry(count: number, error: Error) {
  return count < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 502)
}
