interface Span<Point> {
  points: readonly Point[]
  from: number
  until: number
}

/** Returns the average of each of `slots` equal parts of the span; null for parts without a measurement. */
export function evenValues<Point extends { at: string }>(
  { points, from, until }: Span<Point>,
  slots: number,
  value: (point: Point) => number | null,
): (number | null)[] {
  const sums = Array.from({ length: slots }, () => ({ sum: 0, count: 0 }))
  for (const point of points) {
    const share = (new Date(point.at).getTime() / 1000 - from) / (until - from)
    const slot = sums[Math.min(slots - 1, Math.max(0, Math.floor(share * slots)))]
    const measured = value(point)
    if (!slot || measured === null) continue
    slot.sum += measured
    slot.count += 1
  }
  return sums.map(({ sum, count }) => (count === 0 ? null : sum / count))
}
