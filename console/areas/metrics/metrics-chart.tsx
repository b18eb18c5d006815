import { useMemo } from 'react'
import { Chart } from '../../ui/chart.tsx'
import type { ChartKind } from './charts.ts'
import type { Metrics } from './queries.ts'

interface MetricsChartProps<Point> {
  kind: ChartKind<Point>
  data: Metrics<Point> & { from: number; until: number }
}

export function MetricsChart<Point extends { at: string }>({ kind, data }: MetricsChartProps<Point>) {
  const { title, unit, lines, most, zooms } = kind
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
      zooms={zooms}
      together="metrics"
    />
  )
}
