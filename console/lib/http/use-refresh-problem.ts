import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { isNotFound } from './api-error.ts'

/** Returns why data on this page is out of date: the error of its last refetch. */
export function useRefreshProblem() {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const subscribe = useCallback(
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  )
  const error = useSyncExternalStore(
    subscribe,
    () => cache.findAll({ predicate: isOutdated })[0]?.state.error,
  )
  const retry = () => client.refetchQueries({ type: 'active', predicate: isOutdated })
  return error ? { error, retry } : undefined
}

const isOutdated = (query: Query) =>
  query.state.status === 'error' &&
  query.state.data !== undefined &&
  !query.meta?.quiet &&
  !isNotFound(query.state.error) &&
  query.isActive()
