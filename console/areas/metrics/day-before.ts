import type { Point } from '../../ui/chart/chart-points.ts'
import { DAY } from './metrics-span.ts'

export interface StepPoints {
  points: readonly Point[]
  step: number
}

interface Drawn extends StepPoints {
  from: number
  until: number
}

/**
 * Appends the values of 24 hours earlier to each point. Earlier points can be further apart, so their values are
 * interpolated, but not across gaps.
 */
export function withDayBefore(
  { points, step, from, until }: Drawn,
  before: StepPoints,
  lines: number,
): Point[] {
  const current = new Map(points.map(({ at, values }) => [at, values]))
  const missing = Array.from({ length: lines }, () => null)
  // A point is the average of the step that begins at its time, so compare the middles of the steps.
  const shift = DAY - (step - before.step) / 2
  const all: Point[] = []
  let next = 0
  for (let at = Math.floor(from / step) * step; at < until; at += step) {
    const then = at - shift
    while ((before.points[next]?.at ?? Infinity) <= then) next++
    const earlier = interpolate(before.points[next - 1], before.points[next], then, before.step)
    all.push({ at, values: [...(current.get(at) ?? missing), ...(earlier ?? missing)] })
  }
  return all
}

function interpolate(
  last: Point | undefined,
  next: Point | undefined,
  at: number,
  step: number,
): Point['values'] | undefined {
  if (!last) return undefined
  if (last.at === at) return last.values
  if (!next || next.at - last.at > 1.5 * step) return undefined
  const share = (at - last.at) / (next.at - last.at)
  return last.values.map((value, line) => {
    const following = next.values[line]
    return typeof value === 'number' && typeof following === 'number'
      ? value + share * (following - value)
      : null
  })
}
