import { useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParam } from '../../lib/use-param.ts'
import { ChartSkeleton } from '../../ui/chart-frame.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { charts } from './charts.ts'
import { serverMetricsQuery } from './queries.ts'
import { rangeOf } from './range.ts'
import { RangeChoice } from './range-choice.tsx'
import { ServerChart } from './server-chart.tsx'

/** How busy a server is: CPU, memory, disk, network and load, in charts that move. */
export function ServerCharts({ serverId }: { serverId: string }) {
  const [key, setKey] = useParam('range')
  const range = rangeOf(key)
  const query = useQuery(serverMetricsQuery(serverId, range))
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
          <RangeChoice chosen={range} onChoose={setKey} />
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
          <EmptyState icon={ChartLine} title={key === '' ? 'No figures yet.' : 'No figures in this time.'}>
            They come every 10 seconds while the server is connected, and are kept for 30 days.
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
                <ServerChart kind={kind} data={data} />
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
