import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { onPlanRequired, onTokenChange } from './session.ts'
import { notify } from '../notify.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The caller shows the error. */
    queryMeta: { quiet?: boolean }
    mutationMeta: { quiet?: boolean }
  }
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (!query.meta?.quiet) notify(error)
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
      // The live stream refetches everything else.
      refetchOnReconnect: ({ state }) => state.status === 'error' && 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

onTokenChange(() => queryClient.clear())
// The plan has ended: the shell redirects to plan selection.
onPlanRequired(() => void queryClient.invalidateQueries({ queryKey: ['workspaces', 'current'] }))

function worthAnotherTry(count: number, error: Error) {
  return count < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 502)
}
