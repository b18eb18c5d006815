import { createRowHeights } from './row-heights.ts'
import { type LogEntry, maxShownLength } from './feed/log-entry.ts'
import type { LogStore } from './feed/log-store.ts'
import { type LineFilter, lowerBound } from './search/line-filter.ts'

/** Of a line that is not wrapped. */
export const rowHeight = 20

interface RowOptions {
  /** Only lines in which what is looked for stands. */
  onlyHits: boolean
  /** Lines are wrapped after so many signs, if at all. */
  columns: number | undefined
}

/** The lines that are shown, one below the other. */
export interface Rows {
  readonly count: number
  readonly total: number
  numberAt: (index: number) => number
  entryAt: (index: number) => LogEntry | undefined
  /** Of the line with this number, or of the next one that is shown. */
  indexOf: (number: number) => number
  topOf: (index: number) => number
  indexAt: (y: number) => number
  correct: (heights: ReadonlyMap<number, number>) => void
  /** Takes up what has come and gone. */
  update: (sieve: LineFilter, look: RowOptions) => void
}

export function createRows(store: LogStore): Rows {
  const heights = createRowHeights()
  let shown: readonly number[] | undefined
  let basis: readonly unknown[] = []
  let after = 0
  const numberAt = (index: number) => (shown ? (shown[index] ?? store.end) : store.first + index)
  const indexOf = (number: number) => (shown ? lowerBound(shown, number) : Math.max(0, number - store.first))

  return {
    get count() {
      return heights.count
    },
    get total() {
      return heights.total
    },
    numberAt,
    entryAt: (index) => store.get(numberAt(index)),
    indexOf: (number) => Math.min(indexOf(number), heights.count),
    topOf: heights.topOf,
    indexAt: heights.indexAt,
    correct: heights.correct,
    update(sieve, { onlyHits, columns }) {
      shown = sieve.shown(onlyHits)
      // A list in which nothing is looked for any more, because it cannot be, is another one too.
      const now = [sieve, columns, onlyHits && sieve.problem === undefined]
      if (now.some((part, index) => part !== basis[index])) {
        heights.clear()
        after = 0
      }
      basis = now
      const length = shown ? shown.length : store.end - store.first
      const known = Math.min(indexOf(after), length)
      heights.drop(heights.count - known)
      for (let index = known; index < length; index++)
        heights.add(estimate(store.get(numberAt(index)), columns))
      if (length > 0) after = numberAt(length - 1) + 1
    },
  }
}

/** Right for the signs of most lines, which are all of one width; the others are measured once they are on screen. */
function estimate(entry: LogEntry | undefined, columns: number | undefined): number {
  if (!entry || columns === undefined) return rowHeight
  const more = entry.text.length > maxShownLength ? 40 : 0
  return rowHeight * Math.max(1, Math.ceil((Math.min(entry.text.length, maxShownLength) + more) / columns))
}
