export interface RowHeights {
  readonly count: number
  readonly total: number
  /** Returns the top of a row. The row count as index returns the bottom of the last row. */
  topOf: (index: number) => number
  /** Returns the last row for positions below all rows. */
  indexAt: (y: number) => number
  add: (height: number) => void
  drop: (rows: number) => void
  correct: (heights: ReadonlyMap<number, number>) => void
  clear: () => void
}

/** A lookup is a binary search. A change moves all later rows, which is fast enough for 200,000 rows. */
export function createRowHeights(): RowHeights {
  let ends = new Float64Array(1024)
  let count = 0
  const topOf = (index: number) => (index <= 0 ? 0 : (ends[Math.min(index, count) - 1] ?? 0))

  return {
    get count() {
      return count
    },
    get total() {
      return topOf(count)
    },
    topOf,
    indexAt(y) {
      let [low, high] = [0, Math.max(0, count - 1)]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((ends[middle] ?? 0) > y) high = middle
        else low = middle + 1
      }
      return low
    },
    add(height) {
      if (count === ends.length) {
        const more = new Float64Array(count * 2)
        more.set(ends)
        ends = more
      }
      ends[count] = topOf(count) + height
      count += 1
    },
    drop(rows) {
      const gone = Math.min(rows, count)
      const height = topOf(gone)
      ends.copyWithin(0, gone, count)
      count -= gone
      for (let index = 0; index < count; index++) ends[index] = (ends[index] ?? 0) - height
    },
    correct(heights) {
      let grown = 0
      for (let index = Math.min(...heights.keys()); index < count; index++) {
        const end = (ends[index] ?? 0) + grown
        const height = heights.get(index)
        // `topOf` includes the corrections of earlier rows, so the difference is that of this row alone.
        if (height !== undefined) grown += topOf(index) + height - end
        ends[index] = height === undefined ? end : topOf(index) + height
      }
    },
    clear() {
      count = 0
    },
  }
}
