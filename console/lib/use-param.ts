import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** URL parameter state, so that views can be shared as links. */
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
        // Keeps the history state, including that of an open dialog.
        { replace: true, state },
      ),
    [name, state, setParams],
  )
  return [params.get(name) ?? '', set]
}
