import type { LogStore } from './log-store.ts'

/** From the first to the last line that is here; undefined when none tells its time. */
export function rangeOf(store: LogStore): { since: string; until: string } | undefined {
  const times = function* (from: number, by: 1 | -1) {
    for (let number = from; number >= store.first && number < store.end; number += by) {
      const entry = store.get(number)
      if (entry?.kind === 'line' && entry.at !== undefined) yield entry.at
    }
  }
  const since = times(store.first, 1).next().value
  const until = times(store.end - 1, -1).next().value
  return since && until ? { since, until } : undefined
}
