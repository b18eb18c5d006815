import { useEffect, useMemo, useReducer } from 'react'
import type { LogStore } from './log-store.ts'
import { type Sieve, type Wanted, createSieve } from './sieve.ts'

/** `wanted` has to stay the same while nothing about it changes. */
export function useSieve(store: LogStore, wanted: Wanted): Sieve {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const sieve = useMemo(() => createSieve(store, wanted, redraw), [store, wanted])
  useEffect(() => {
    const forget = store.subscribe(sieve.goOn)
    sieve.goOn()
    redraw()
    return () => {
      forget()
      sieve.stop()
    }
  }, [store, sieve])
  return sieve
}
