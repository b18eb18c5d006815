/** The SVG stretches the drawing to its box. */
export const SPARK_WIDTH = 100
export const SPARK_HEIGHT = 24
/** Room for the stroke at the upper and lower edge. */
const EDGE = 1.5

type Value = number | null

/**
 * Lines and filled areas of evenly spaced values. A missing value ends the line; a value between two missing ones is a
 * line without length, which round caps draw as a dot.
 */
export function sparkPaths(values: readonly Value[], most?: number): { line: string; area: string } {
  const top = most ?? Math.max(0, ...values.map((value) => value ?? 0))
  const step = values.length > 1 ? SPARK_WIDTH / (values.length - 1) : 0
  const bottom = SPARK_HEIGHT - EDGE
  const point = (value: number, index: number) => {
    const share = top > 0 ? Math.min(Math.max(value / top, 0), 1) : 0
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
