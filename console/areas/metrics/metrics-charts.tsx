import { useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Chart, ChartSkeleton } from '../../ui/chart/chart.tsx'
import type { ChartMarker } from '../../ui/chart/group-markers.ts'
import { classNames } from '../../ui/class-names.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Pending, Skeleton } from '../../ui/skeleton.tsx'
import { applicationCharts, type ChartKind, containerCharts, serverCharts } from './charts.ts'
import { withDayBefore } from './day-before.ts'
import { dayBefore, type MetricsSpan, ranges } from './metrics-span.ts'
import { MetricsToolbar } from './metrics-toolbar.tsx'
import {
  applicationMetricsQuery,
  containerMetricsQuery,
  type Metrics,
  type MetricsQuery,
  serverMetricsQuery,
} from './queries.ts'
import { type MetricsView, useMetricsView } from './use-metrics-view.ts'
import { Link } from 'react-router'
import { MarkerFlag } from '../../ui/chart/chart-markers.tsx'

interface MetricsChartsProps<Point> {
  charts: readonly ChartKind<Point>[]
  view: MetricsView
  metrics: (span: MetricsSpan) => MetricsQuery<Point>
  empty: string
  markers?: readonly ChartMarker[]
}

function MetricsCharts<Point extends { at: string }>({
  charts,
  view,
  metrics,
  empty,
  markers,
}: MetricsChartsProps<Point>) {
  const { span, compares, zoom } = view
  const query = useQuery(metrics(span))
  const before = useQuery({ ...metrics(dayBefore(span)), enabled: compares })
  const [activeMarker, setActiveMarker] = useState<string>()
  const { data, error, isPlaceholderData } = query
  const lost = data ? null : error
  return (
    <section aria-labelledby="metrics" className="flex flex-col gap-3">
      <MetricsToolbar view={view} />
      {markers &&
        !lost &&
        (data ? (
          <MarkerList markers={markers} from={data.from} to={data.until} onActive={setActiveMarker} />
        ) : (
          <Skeleton sized className="h-7 w-48" />
        ))}
      {lost && (
        <Card flush>
          <Problem title="Could not load metrics" error={lost} onRetry={query.refetch} />
        </Card>
      )}
      {compares && before.error && !before.data && (
        <Card flush>
          <Problem
            title="Could not load metrics of the day before"
            error={before.error}
            onRetry={before.refetch}
          />
        </Card>
      )}
      {data?.points.length === 0 && (
        <Card flush>
          <EmptyState
            icon={ChartLine}
            title={span === ranges[0] ? 'No metrics yet' : 'No metrics in this range'}
          >
            {empty}
          </EmptyState>
        </Card>
      )}
      {/* There may be no charts at all, so what is below waits for the response. */}
      {!data && !lost && <Pending />}
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
                <MetricsChart
                  kind={kind}
                  data={data}
                  before={compares ? before.data : undefined}
                  markers={markers}
                  activeMarker={activeMarker}
                  onSelect={(from, until) => zoom({ from, until })}
                />
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

interface MetricsChartProps<Point> {
  kind: ChartKind<Point>
  data: Metrics<Point> & { from: number; until: number }
  before: Metrics<Point> | undefined
  markers: readonly ChartMarker[] | undefined
  activeMarker: string | undefined
  onSelect: (from: number, until: number) => void
}

function MetricsChart<Point extends { at: string }>({
  kind,
  data,
  before,
  markers,
  activeMarker,
  onSelect,
}: MetricsChartProps<Point>) {
  const { title, unit, lines, most, zooms } = kind
  const { points, step_seconds: step, from, until } = data
  const plotted = useMemo(() => {
    const current = toChartPoints(points, kind)
    if (!before) return current
    const earlier = { points: toChartPoints(before.points, kind), step: before.step_seconds }
    return withDayBefore({ points: current, step, from, until }, earlier, kind.lines.length)
  }, [points, step, from, until, before, kind])
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
      // A disk that is not reported has the size 0, which is no limit.
      most={(last && most?.(last)) || undefined}
      zooms={zooms}
      together="metrics"
      earlier={before && 'Day before'}
      markers={markers}
      activeMarker={activeMarker}
      onSelect={onSelect}
    />
  )
}

const toChartPoints = <Point extends { at: string }>(points: readonly Point[], { lines }: ChartKind<Point>) =>
  points.map((point) => ({
    at: new Date(point.at).getTime() / 1000,
    values: lines.map(({ value }) => value(point)),
  }))

interface ApplicationChartsProps {
  applicationId: string
  view: MetricsView
  markers: readonly ChartMarker[]
}

export const ApplicationCharts = ({ applicationId, view, markers }: ApplicationChartsProps) => (
  <MetricsCharts
    charts={applicationCharts}
    view={view}
    metrics={(span) => applicationMetricsQuery(applicationId, span)}
    markers={markers}
    empty="Metrics are collected every 10 seconds while the application is running. They are kept for 30 days."
  />
)

export const ContainerCharts = ({ serverId, containerId }: { serverId: string; containerId: string }) => (
  <MetricsCharts
    charts={containerCharts}
    view={useMetricsView()}
    metrics={(span) => containerMetricsQuery(serverId, containerId, span)}
    empty="Metrics are collected every 10 seconds while the container is running. They are kept for 30 days."
  />
)

export const ServerCharts = ({ serverId }: { serverId: string }) => (
  <MetricsCharts
    charts={serverCharts}
    view={useMetricsView()}
    metrics={(span) => serverMetricsQuery(serverId, span)}
    empty="Metrics are collected every 10 seconds while the server is connected. They are kept for 30 days."
  />
)

interface MarkerListProps {
  markers: readonly ChartMarker[]
  from: number
  to: number
  onActive: (id: string | undefined) => void
}

/** Lists the markers of the charts as links, newest first, in one line that scrolls. */
function MarkerList({ markers, from, to, onActive }: MarkerListProps) {
  const shown = markers.filter(({ at }) => at >= from && at <= to).toSorted((a, b) => b.at - a.at)
  return (
    <nav aria-label="Deployments in this range" className="flex h-7 items-center gap-2 text-sm">
      <span className="shrink-0 text-muted">
        {shown.length === 0 ? 'No deployments in this range' : 'Deployments'}
      </span>
      {shown.length > 0 && (
        <ul className="-my-1 flex min-w-0 gap-1 overflow-x-auto py-1">
          {shown.map((marker) => (
            <li key={marker.id} className="shrink-0">
              <Link
                to={marker.to}
                state={marker.state}
                onPointerEnter={() => onActive(marker.id)}
                onPointerLeave={() => onActive(undefined)}
                onFocus={() => onActive(marker.id)}
                onBlur={() => onActive(undefined)}
                className="group relative flex h-7 items-center gap-1.5 rounded-md px-1.5 whitespace-nowrap -outline-offset-2 hover:bg-hover"
              >
                <MarkerFlag marker={marker} />
                <span className={hasPlainFlag(marker) ? 'sr-only' : 'text-ink'}>{marker.title}</span>
                <span className="text-muted">{marker.detail}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

/** Returns whether the number on the flag is enough, as for a release that is live or was live. */
const hasPlainFlag = ({ flag, tone }: ChartMarker) => flag !== '' && tone === 'neutral'
