import { useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { useMemo } from 'react'
import { Chart, ChartSkeleton } from '../../ui/chart/chart.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { applicationCharts, type ChartKind, containerCharts, serverCharts } from './charts.ts'
import {
  applicationMetricsQuery,
  containerMetricsQuery,
  type Metrics,
  type MetricsQuery,
  type MetricsRange,
  ranges,
  serverMetricsQuery,
  useRange,
} from './queries.ts'

interface MetricsChartsProps<Point> {
  charts: readonly ChartKind<Point>[]
  metrics: (range: MetricsRange) => MetricsQuery<Point>
  empty: string
}

export function MetricsCharts<Point extends { at: string }>({
  charts,
  metrics,
  empty,
}: MetricsChartsProps<Point>) {
  const [range, setRange] = useRange()
  const query = useQuery(metrics(range))
  const { data, error, isPlaceholderData } = query
  const lost = data ? null : error
  return (
    <section aria-labelledby="metrics" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="metrics" className="text-base font-semibold">
          Metrics
        </h2>
        <div className="flex flex-wrap items-center gap-3">
          <RangeChoice chosen={range} onChoose={setRange} />
        </div>
      </div>
      {lost && (
        <Card flush>
          <Problem title="Could not load metrics" error={lost} onRetry={query.refetch} />
        </Card>
      )}
      {data?.points.length === 0 && (
        <Card flush>
          <EmptyState
            icon={ChartLine}
            title={range === ranges[0] ? 'No metrics yet' : 'No metrics in this range'}
          >
            {empty}
          </EmptyState>
        </Card>
      )}
      {!lost && data?.points.length !== 0 && (
        <div
          className={classNames(
            'grid grid-cols-2 gap-3 max-lg:grid-cols-1',
            isPlaceholderData && 'opacity-60',
          )}
        >
          {charts.map((kind) => (
            <div key={kind.title} className={classNames('min-w-0', kind.wide && 'col-span-full')}>
              {data ? (
                <MetricsChart kind={kind} data={data} />
              ) : (
                <ChartSkeleton title={kind.title} several={kind.lines.length > 1} />
              )}
            </div>
          ))}
        </div>
      )}
    </section>
  )
}

function RangeChoice({ chosen, onChoose }: { chosen: MetricsRange; onChoose: (key: string) => void }) {
  return (
    <fieldset aria-label="Range" className="flex rounded-md border border-line bg-subtle p-0.5">
      {ranges.map(({ key, label, title }) => (
        <button
          key={key}
          type="button"
          title={title}
          aria-pressed={key === chosen.key}
          onClick={() => onChoose(key === ranges[0].key ? '' : key)}
          className={classNames(
            'h-6 rounded-sm px-2 text-sm font-medium text-muted hover:text-ink max-sm:h-9 max-sm:px-3',
            'aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:ring-1 aria-pressed:ring-line',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}

interface MetricsChartProps<Point> {
  kind: ChartKind<Point>
  data: Metrics<Point> & { from: number; until: number }
}

function MetricsChart<Point extends { at: string }>({ kind, data }: MetricsChartProps<Point>) {
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
      // A disk that is not reported has no size.
      most={(last && most?.(last)) || undefined}
      zooms={zooms}
      together="metrics"
    />
  )
}

export const ApplicationCharts = ({ applicationId }: { applicationId: string }) => (
  <MetricsCharts
    charts={applicationCharts}
    metrics={(range) => applicationMetricsQuery(applicationId, range)}
    empty="Collected every 10 seconds while the application is running and kept for 30 days."
  />
)

export const ContainerCharts = ({ serverId, containerId }: { serverId: string; containerId: string }) => (
  <MetricsCharts
    charts={containerCharts}
    metrics={(range) => containerMetricsQuery(serverId, containerId, range)}
    empty="Collected every 10 seconds while the container is running and kept for 30 days."
  />
)

export const ServerCharts = ({ serverId }: { serverId: string }) => (
  <MetricsCharts
    charts={serverCharts}
    metrics={(range) => serverMetricsQuery(serverId, range)}
    empty="Collected every 10 seconds while the server is connected and kept for 30 days."
  />
)
