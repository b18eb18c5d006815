/** Size of the drawing, which the SVG stretches to its box. */
export const SPARK_WIDTH = 100
export const SPARK_HEIGHT = 24
/** Space for the stroke at the upper and lower edge. */
const EDGE = 1.5

type Value = number | null

export interface SparkScale {
  /** Value at the lower edge. */
  least: number
  /** Value at the upper edge. */
  most: number
}

/**
 * Returns a scale that shows how values change. It is centered on them and covers at least half of the highest value.
 */
export function changeScale(values: readonly Value[]): SparkScale {
  const [lowest, highest] = [Math.min(...present(values)), Math.max(...present(values))]
  if (!(highest > 0)) return { least: 0, most: 0 }
  const span = 1.5 * Math.max(highest - lowest, highest / 3)
  const least = Math.max(0, (lowest + highest - span) / 2)
  return { least, most: least + span }
}

const present = (values: readonly Value[]) => values.filter((value) => value !== null)

/**
 * Returns the lines and filled areas of evenly spaced values. A missing value ends a line. A value between two missing
 * ones becomes a line without length, which round caps draw as a dot.
 */
export function sparkPaths(
  values: readonly Value[],
  { least = 0, most = Math.max(0, ...present(values)) }: Partial<SparkScale> = {},
): { line: string; area: string } {
  const step = values.length > 1 ? SPARK_WIDTH / (values.length - 1) : 0
  const bottom = SPARK_HEIGHT - EDGE
  const point = (value: number, index: number) => {
    const share = most > least ? Math.min(Math.max((value - least) / (most - least), 0), 1) : 0
    return `${round(index * step)} ${round(bottom - share * (SPARK_HEIGHT - 2 * EDGE))}`
  }
  const runs = presentRuns(values)
  return {
    line: runs
      .map(({ from, values: run }) => {
        const points = run.map((value, index) => point(value, from + index))
        return `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`
      })
      .join(''),
    area: runs
      .filter(({ values: run }) => run.length > 1)
      .map(({ from, values: run }) => {
        const [left, right] = [round(from * step), round((from + run.length - 1) * step)]
        const points = run.map((value, index) => point(value, from + index))
        return `M${left} ${SPARK_HEIGHT}L${points.join('L')}L${right} ${SPARK_HEIGHT}Z`
      })
      .join(''),
  }
}

function presentRuns(values: readonly Value[]): { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = []
  let open: number[] | undefined
  for (const [index, value] of values.entries()) {
    if (value === null) open = undefined
    else if (open) open.push(value)
    else runs.push({ from: index, values: (open = [value]) })
  }
  return runs
}

const round = (value: number) => Math.round(value * 100) / 100
