import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatInUnit, type Unit } from '../../ui/chart/chart-units.ts'
import { classNames } from '../../ui/class-names.ts'
import { changeScale } from '../../ui/spark-path.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { evenValues } from './even-values.ts'
import { ranges } from './metrics-span.ts'
import { type ApplicationPoint, applicationMetricsQuery } from './queries.ts'

interface LiveStripProps {
  applicationId: string
  deployments: readonly string[]
  /** Whether visitors reach the application through a domain. Without requests, others show only CPU and memory. */
  routed: boolean
  to: string
}

interface Figure {
  label: string
  unit: Unit
  /** Threshold from which the chart is red. */
  alarming?: number
  value: (point: ApplicationPoint) => number | null
}

const resources: readonly Figure[] = [
  { label: 'CPU', unit: 'share', value: ({ cpu }) => cpu },
  { label: 'Memory', unit: 'bytes', value: (point) => point.memory_used },
]

const figures: readonly Figure[] = [
  { label: 'Requests', unit: 'frequency', value: ({ requests }) => requests },
  {
    label: 'Error rate',
    unit: 'share',
    alarming: 0.01,
    value: ({ requests, status_5xx: failed }) => (requests === 0 ? null : Math.min(1, failed / requests)),
  },
  { label: 'p50 latency', unit: 'milliseconds', value: (point) => point.latency_p50_ms },
  { label: 'p95 latency', unit: 'milliseconds', value: (point) => point.latency_p95_ms },
  ...resources,
]

const SLOTS = 60

/** Metrics of the last hour at a glance. Vertical lines mark deployments. */
export function LiveStrip({ applicationId, deployments, routed, to }: LiveStripProps) {
  const { data } = useQuery(applicationMetricsQuery(applicationId, ranges[0]))
  const marks = data
    ? deployments
        .map((at) => (new Date(at).getTime() / 1000 - data.from) / (data.until - data.from))
        .filter((share) => share >= 0 && share <= 1)
    : []
  const served = routed || data?.points.some(({ requests }) => requests > 0) === true
  return (
    <ul
      aria-label="Last hour"
      className={classNames(
        'grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line',
        served && 'sm:grid-cols-3 min-[1180px]:grid-cols-6',
      )}
    >
      {(served ? figures : resources).map((figure) => {
        const values = data ? evenValues(data, SLOTS, figure.value) : []
        const { text, age } = latestText(values, figure.unit)
        return (
          <li key={figure.label} className="bg-raised">
            <Link
              to={to}
              className="flex flex-col gap-1.5 px-4 py-3 -outline-offset-2 hover:bg-subtle max-sm:px-3"
            >
              <span className="text-sm text-muted">{figure.label}</span>
              <span className="flex items-baseline gap-1.5 whitespace-nowrap tabular-nums">
                <span className="text-lg font-semibold tracking-tight">{text}</span>
                {age !== undefined && <span className="truncate text-xs text-muted">{age}</span>}
              </span>
              <Sparkline
                label={`${figure.label} in the last hour`}
                values={values}
                marks={marks}
                className="h-8 w-full"
                {...lookOf(figure, values)}
              />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns scale and color of a chart. Errors are measured from zero; other metrics are scaled to their own range. */
function lookOf({ alarming }: Figure, values: readonly (number | null)[]) {
  if (alarming === undefined) return { scale: changeScale(values) }
  const highest = Math.max(0, ...values.map((value) => value ?? 0))
  return {
    scale: { most: Math.max(highest, 5 * alarming) },
    tone: highest < alarming ? ('accent' as const) : ('red' as const),
  }
}

/** Returns the last of the 60 values, one for each minute, with its age if it is at least five minutes old. */
function latestText(values: readonly (number | null)[], unit: Unit): { text: string; age?: string } {
  const index = values.findLastIndex((value) => value !== null)
  const latest = values[index]
  if (typeof latest !== 'number') return { text: '–' }
  const minutes = values.length - 1 - index
  return { text: formatInUnit(latest, unit), ...(minutes >= 5 && { age: `${minutes} min ago` }) }
}
