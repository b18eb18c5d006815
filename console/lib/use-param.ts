import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** Keeps a value in the URL, so that links share the view. */
export function useParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const state: unknown = useLocation().state
  const set = useCallback(
    (value: string) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === '') after.delete(name)
          else after.set(name, value)
          return after
        },
        // The state marks an open dialog, so keep it.
        { replace: true, state },
      ),
    [name, state, setParams],
  )
  return [params.get(name) ?? '', set]
}
