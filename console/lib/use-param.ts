import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** One parameter of the address: what is opened, searched or filtered can be sent to a colleague. */
export function useParam(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (value: string) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === '') after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace: true },
      ),
    [name, setParams],
  )
  return [params.get(name) ?? '', set]
}
