export interface RowHeights {
  readonly count: number
  readonly total: number
  /** Where a row begins; with the count of all, where the last one ends. */
  topOf: (index: number) => number
  /** The row at this height; the last one below all. */
  indexAt: (y: number) => number
  add: (height: number) => void
  /** Takes rows away from the front. */
  drop: (rows: number) => void
  /** Says how high rows are in truth. */
  correct: (heights: ReadonlyMap<number, number>) => void
  clear: () => void
}

/** How high each of many rows is. To find one is quick; to change one passes over the rest, which 200,000 numbers allow. */
export function createRowHeights(): RowHeights {
  /** Where each row ends. */
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
        // The row's top is corrected already, so that the difference is its own alone.
        if (height !== undefined) grown += topOf(index) + height - end
        ends[index] = height === undefined ? end : topOf(index) + height
      }
    },
    clear() {
      count = 0
    },
  }
}
