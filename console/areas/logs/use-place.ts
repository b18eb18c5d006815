import { useEffect } from 'react'
import type { LogStore } from './log-store.ts'

/** Shows the line of a certain time, as soon as it is there. */
export function usePlace(store: LogStore, at: string | undefined, show: (number: number) => void) {
  useEffect(() => {
    if (at === undefined) return undefined
    let next = store.first
    const forget = store.subscribe(() => {
      for (; next < store.end; next++) {
        const entry = store.get(next)
        if (entry?.kind !== 'line' || entry.at === undefined || entry.at < at) continue
        forget()
        show(next)
        return
      }
    })
    return forget
  }, [store, at, show])
}
