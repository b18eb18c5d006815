import type { LogEntry } from './log-entry.ts'

/** Milliseconds of silence after which the first ones are all there, and how long they are waited for at most. */
const quiet = 300
const longest = 3_000
/** How long a line waits for one that was said before it, and comes later. */
const pause = 150

interface Held {
  at: string
  entry: LogEntry
}

/** Brings what several say, each in order, into the order of time. */
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
    /** What one of them said; `at` is the time of what has none itself. */
    hear(entries: readonly LogEntry[], at: string) {
      for (const entry of entries)
        held.push({ at: (entry.kind === 'line' ? entry.at : undefined) ?? at, entry })
      if (isBeginning) {
        clearTimeout(soon)
        soon = setTimeout(flush, quiet)
        latest ??= setTimeout(flush, longest)
      } else soon ??= setTimeout(flush, pause)
    },
    /** Much comes at once again. */
    begin() {
      isBeginning = true
    },
    stop,
  }
}
