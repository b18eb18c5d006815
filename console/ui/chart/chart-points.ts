export interface Point {
  at: number
  /** One value per line; null if not measured. */
  values: readonly (number | null)[]
}

export type ChartColumn = (number | null)[]

/** Returns times and one column per line. Inserts empty points into gaps, so that lines are interrupted there. */
export function toColumns(
  points: readonly Point[],
  step: number,
  lines: number,
): [number[], ...ChartColumn[]] {
  const times: number[] = []
  const columns: ChartColumn[] = Array.from({ length: lines }, () => [])
  const push = (at: number, values: Point['values']) => {
    times.push(at)
    columns.forEach((column, line) => column.push(values[line] ?? null))
  }
  let last = Infinity
  for (const { at, values } of points) {
    for (let gap = last + step; gap < at - step / 2; gap += step) push(gap, [])
    push(at, values)
    last = at
  }
  return [times, ...columns]
}

/** Returns whether the last point is more than three steps before the end. */
export const hasEnded = (times: readonly number[], step: number, end: number) =>
  end - (times.at(-1) ?? end) > 3 * step

/** Minimum, maximum and mean for screen readers; undefined without values. */
export function valueRange(column: ChartColumn): { least: number; most: number; mean: number } | undefined {
  const values = column.filter((value) => value !== null)
  if (values.length === 0) return undefined
  const sum = values.reduce((all, value) => all + value, 0)
  return { least: Math.min(...values), most: Math.max(...values), mean: sum / values.length }
}

/** Returns the indexes of single values between two gaps. */
export function isolatedIndexes(column: ArrayLike<number | null | undefined>): number[] {
  const empty = (at: number) => typeof column[at] !== 'number'
  return Array.from(column, (_, at) => at).filter((at) => !empty(at) && empty(at - 1) && empty(at + 1))
}
