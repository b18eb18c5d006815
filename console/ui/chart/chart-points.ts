export interface Point {
  at: number
  /** Value of each line: null if it was not measured, undefined if there was nothing to measure. */
  values: readonly (number | null | undefined)[]
}

/** Values of one line. The line is interrupted at null and continues across undefined. */
export type ChartColumn = (number | null | undefined)[]

/** Number of undefined values that a line crosses; more of them are a gap. */
const PASSED = 10

/** Returns times and one column per line. Inserts empty points into gaps, so that lines are interrupted there. */
export function toColumns(
  points: readonly Point[],
  step: number,
  lines: number,
): [number[], ...ChartColumn[]] {
  const times: number[] = []
  const columns: ChartColumn[] = Array.from({ length: lines }, () => [])
  const push = (at: number, valueOf: (line: number) => ChartColumn[number]) => {
    times.push(at)
    columns.forEach((column, line) => column.push(valueOf(line)))
  }
  let last = Infinity
  for (const { at, values } of points) {
    for (let gap = last + step; gap < at - step / 2; gap += step) push(gap, () => null)
    push(at, (line) => values[line])
    last = at
  }
  return [times, ...columns.map(interruptLongRuns)]
}

function interruptLongRuns(column: ChartColumn): ChartColumn {
  const filled = [...column]
  for (let start = 0; start < filled.length; start++) {
    let end = start
    while (end < filled.length && filled[end] === undefined) end++
    if (end - start > PASSED) filled.fill(null, start, end)
    if (end > start) start = end
  }
  return filled
}

/** Age from which the last value counts as outdated. A sample can be somewhat late. */
const currentSeconds = 120

/**
 * Returns the last value of each column, and as `outdated` the time of the newest one if it is long before the end. A
 * value that is much older than the newest one is omitted.
 */
export function latestValues(
  times: readonly number[],
  columns: readonly ChartColumn[],
  step: number,
  end: number,
): { values: ChartColumn; outdated: number | undefined } {
  const limit = Math.max(currentSeconds, 3 * step)
  const lasts = columns.map((column) => {
    const index = column.findLastIndex((value) => typeof value === 'number')
    return { value: column[index], at: times[index] ?? -Infinity }
  })
  const newest = Math.max(...lasts.map(({ at }) => at))
  return {
    values: lasts.map(({ value, at }) => (newest - at > limit ? undefined : value)),
    outdated: Number.isFinite(newest) && end - newest > limit ? newest : undefined,
  }
}

/** Returns minimum, maximum and mean for screen readers, or undefined without values. */
export function valueRange(column: ChartColumn): { least: number; most: number; mean: number } | undefined {
  const values = column.filter((value) => typeof value === 'number')
  if (values.length === 0) return undefined
  const sum = values.reduce((all, value) => all + value, 0)
  return { least: Math.min(...values), most: Math.max(...values), mean: sum / values.length }
}

/** Returns the indexes of single values between two gaps. */
export function isolatedIndexes(column: ArrayLike<number | null | undefined>): number[] {
  const endsAt = (from: number, by: 1 | -1) => {
    let at = from + by
    while (at >= 0 && at < column.length && column[at] === undefined) at += by
    return typeof column[at] !== 'number'
  }
  return Array.from(column, (_, at) => at).filter(
    (at) => typeof column[at] === 'number' && endsAt(at, -1) && endsAt(at, 1),
  )
}

/** Returns the times between which no line has a value, although values precede and follow. */
export function findGaps([times, ...columns]: [number[], ...ChartColumn[]]): { from: number; to: number }[] {
  const gaps: { from: number; to: number }[] = []
  let last: number | undefined
  let isGap = false
  for (const [at, time] of times.entries()) {
    if (columns.every((column) => column[at] === null)) {
      isGap = true
      continue
    }
    if (isGap && last !== undefined) gaps.push({ from: last, to: time })
    last = time
    isGap = false
  }
  return gaps
}
