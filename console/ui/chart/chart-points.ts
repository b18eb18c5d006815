export interface Point {
  /** Seconds since 1970. */
  at: number
  /** One for each line; null where there was nothing to measure. */
  values: readonly (number | null)[]
}

export type Column = (number | null)[]

/** Times, then a column for each line. Where nothing was heard for longer than a step, steps without values stand between. */
export function toColumns(points: readonly Point[], step: number, lines: number): [number[], ...Column[]] {
  const times: number[] = []
  const columns: Column[] = Array.from({ length: lines }, () => [])
  const push = (at: number, values: Point['values']) => {
    times.push(at)
    columns.forEach((column, line) => column.push(values[line] ?? null))
  }
  let last = Infinity
  for (const { at, values } of points) {
    for (let silent = last + step; silent < at - step / 2; silent += step) push(silent, [])
    push(at, values)
    last = at
  }
  return [times, ...columns]
}

/** Whether the last of them is too old to be called the latest: more than three steps before the end. */
export const isOver = (times: readonly number[], step: number, end: number) =>
  end - (times.at(-1) ?? end) > 3 * step

/** Lowest, highest and mean, for those who do not see the line; undefined when there is none. */
export function extent(column: Column): { least: number; most: number; mean: number } | undefined {
  const values = column.filter((value) => value !== null)
  if (values.length === 0) return undefined
  const sum = values.reduce((all, value) => all + value, 0)
  return { least: Math.min(...values), most: Math.max(...values), mean: sum / values.length }
}

/** Where a value stands between two gaps. */
export function lonely(column: ArrayLike<number | null | undefined>): number[] {
  const empty = (at: number) => typeof column[at] !== 'number'
  return Array.from(column, (_, at) => at).filter((at) => !empty(at) && empty(at - 1) && empty(at + 1))
}
