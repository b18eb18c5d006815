import { useMemo } from 'react'
import { Chart } from '../../ui/chart.tsx'
import type { ServerChartKind } from './charts.ts'
import type { ServerPoint } from './queries.ts'

interface ServerChartProps {
  kind: ServerChartKind
  data: { points: readonly ServerPoint[]; step_seconds: number; from: number; until: number }
}

export function ServerChart({ kind: { title, unit, lines, most }, data }: ServerChartProps) {
  const { points, step_seconds: step, from, until } = data
  const plotted = useMemo(
    () =>
      points.map((point) => ({
        at: new Date(point.at).getTime() / 1000,
        values: lines.map(({ value }) => value(point)),
      })),
    [points, lines],
  )
  const last = points.at(-1)
  return (
    <Chart
      title={title}
      unit={unit}
      lines={lines.map(({ label }) => label)}
      points={plotted}
      step={step}
      from={from}
      to={until}
      // A disk that does not show has no size.
      most={(last && most?.(last)) || undefined}
      together="server"
    />
  )
}
