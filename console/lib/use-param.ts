import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** One parameter of the address: what is opened, searched or filtered can be sent to a colleague. */
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
        // The entry of the history is the same one, also for a dialog that was opened by it.
        { replace: true, state },
      ),
    [name, state, setParams],
  )
  return [params.get(name) ?? '', set]
}
