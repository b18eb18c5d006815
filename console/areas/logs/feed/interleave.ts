import type { LogEntry } from './log-entry.ts'

/** Milliseconds of silence after which the history is complete, and the maximum wait. */
const quiet = 300
const longest = 3_000
/** Milliseconds that a line waits for an earlier one of another container. */
const pause = 150

interface Held {
  at: string
  entry: LogEntry
}

/** Merges several sorted logs by time. */
export function createInterleaver(add: (entries: readonly LogEntry[]) => void) {
  let held: Held[] = []
  let isBeginning = true
  let soon: ReturnType<typeof setTimeout> | undefined
  let latest: ReturnType<typeof setTimeout> | undefined

  function stop() {
    clearTimeout(soon)
    clearTimeout(latest)
    soon = undefined
    latest = undefined
  }

  function flush() {
    stop()
    const all = held.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    held = []
    isBeginning = false
    add(all.map(({ entry }) => entry))
  }

  return {
    /** `at` is the time for entries without one. */
    hear(entries: readonly LogEntry[], at: string) {
      for (const entry of entries)
        held.push({ at: (entry.kind === 'line' ? entry.at : undefined) ?? at, entry })
      if (isBeginning) {
        clearTimeout(soon)
        soon = setTimeout(flush, quiet)
        latest ??= setTimeout(flush, longest)
      } else soon ??= setTimeout(flush, pause)
    },
    /** The history arrives again. */
    begin() {
      isBeginning = true
    },
    stop,
  }
}
