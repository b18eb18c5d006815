import { useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChartSkeleton } from '../../ui/chart-frame.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import type { ChartKind } from './charts.ts'
import { MetricsChart } from './metrics-chart.tsx'
import type { MetricsQuery } from './queries.ts'
import { type Range, ranges, useRange } from './range.ts'
import { RangeChoice } from './range-choice.tsx'

interface MetricsChartsProps<Point> {
  charts: readonly ChartKind<Point>[]
  metrics: (range: Range) => MetricsQuery<Point>
  /** When figures come, for who has none. */
  empty: string
}

/** Charts that move, over a range that is chosen. */
export function MetricsCharts<Point extends { at: string }>({
  charts,
  metrics,
  empty,
}: MetricsChartsProps<Point>) {
  const [range, setRange] = useRange()
  const query = useQuery(metrics(range))
  const { data, isError, isPlaceholderData } = query
  const stale = isError && data !== undefined
  return (
    <section aria-labelledby="metrics" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="metrics" className="text-base font-semibold">
          Metrics
        </h2>
        <div className="flex flex-wrap items-center gap-3">
          {stale && <p className="text-sm text-muted">Not up to date. Trying again…</p>}
          <RangeChoice chosen={range} onChoose={setRange} />
        </div>
      </div>
      {isError && !data && (
        <Box>
          <Problem title="The figures could not be loaded" onRetry={() => void query.refetch()}>
            Try again in a moment.
          </Problem>
        </Box>
      )}
      {data?.points.length === 0 && (
        <Box>
          <EmptyState
            icon={ChartLine}
            title={range === ranges[0] ? 'No figures yet.' : 'No figures in this time.'}
          >
            {empty}
          </EmptyState>
        </Box>
      )}
      {!(isError && !data) && data?.points.length !== 0 && (
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

const Box = ({ children }: { children: ReactNode }) => (
  <div className="rounded-lg border border-line bg-raised">{children}</div>
)
