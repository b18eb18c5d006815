import { createRowHeights } from './row-heights.ts'
import { type LogEntry, maxShownLength } from './feed/log-entry.ts'
import type { LogStore } from './feed/log-store.ts'
import { type LineFilter, lowerBound } from './search/line-filter.ts'

export const rowHeight = 20

export interface Rows {
  readonly count: number
  readonly total: number
  numberAt: (index: number) => number
  entryAt: (index: number) => LogEntry | undefined
  /** Returns the index of this line, or of the next line shown. */
  indexOf: (number: number) => number
  topOf: (index: number) => number
  indexAt: (y: number) => number
  correct: (heights: ReadonlyMap<number, number>) => void
  update: (lineFilter: LineFilter, options: { onlyHits: boolean; columns: number | undefined }) => void
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
    update(lineFilter, { onlyHits, columns }) {
      shown = lineFilter.shown(onlyHits)
      // An invalid search filters no lines, so the list also changes when the search becomes invalid.
      const now = [lineFilter, columns, onlyHits && lineFilter.problem === undefined]
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

/** The estimate is exact for monospaced characters. Other lines are measured when they are rendered. */
function estimate(entry: LogEntry | undefined, columns: number | undefined): number {
  if (!entry || columns === undefined) return rowHeight
  const more = entry.text.length > maxShownLength ? 40 : 0
  return rowHeight * Math.max(1, Math.ceil((Math.min(entry.text.length, maxShownLength) + more) / columns))
}
