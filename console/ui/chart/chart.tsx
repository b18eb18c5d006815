import { type ComponentType, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { type ChartColumn, latestValues, type Point, toColumns, valueRange } from './chart-points.ts'
import { formatInUnit, type Unit } from './chart-units.ts'
import type { ChartCanvasProps } from './chart-canvas.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ChartMarkers } from './chart-markers.tsx'
import { chartSummary } from './chart-summary.ts'
import { clockTime } from './chart-time.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import type { ChartMarker } from './group-markers.ts'
import { earlierStyle, lineStyle, plotArea } from './line-styles.ts'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../skeleton.tsx'
import { relativeTime, useNow } from '../time.tsx'

interface ChartProps {
  title: string
  unit: Unit
  /** Names of the lines. The name of a single line is not shown. */
  lines: readonly string[]
  points: readonly Point[]
  /** Seconds between points. A longer interval is a gap. */
  step: number
  from: number
  to: number
  most?: number | undefined
  /** Scales the axis to the data if the values are far below the limit. */
  zooms?: boolean | undefined
  together: string
  alike?: boolean | undefined
  threshold?: number | undefined
  marks?: readonly number[] | undefined
  earlier?: string | undefined
  markers?: readonly ChartMarker[] | undefined
  activeMarker?: string | undefined
  onSelect?: ((from: number, to: number) => void) | undefined
}

export function Chart(props: ChartProps) {
  const { title, unit, lines, points, step, from, to, most, zooms, together, alike = false } = props
  const { threshold, marks, earlier: earlierLabel, markers = [], activeMarker, onSelect } = props
  const [cursor, setCursor] = useState<number | null>(null)
  const [isHovered, setHovered] = useState(false)
  const count = lines.length
  const compares = earlierLabel !== undefined
  const styles = useMemo(
    () => Array.from({ length: count }, (_, line) => lineStyle(line, alike)),
    [count, alike],
  )
  // Later columns are drawn above earlier ones.
  const drawnStyles = useMemo(
    () => (compares ? [...styles.map(earlierStyle), ...styles] : styles),
    [styles, compares],
  )
  const columns = useMemo(
    () => toColumns(points, step, compares ? 2 * count : count),
    [points, step, compares, count],
  )
  const isBeyond = most !== undefined && threshold !== undefined && threshold > most
  const top = isBeyond || (zooms && most !== undefined && isLittle(columns, most)) ? undefined : most
  const drawn = useMemo(() => {
    const [times, ...all] = columns
    const ordered: typeof columns = [times, ...all.slice(count), ...all.slice(0, count)]
    return { columns: ordered, from, to, top, threshold, marks }
  }, [columns, count, from, to, top, threshold, marks])
  const [times, ...all] = columns
  const values = all.slice(0, count)
  const earlier = compares ? { label: earlierLabel, columns: all.slice(count) } : undefined
  const latest = latestValues(times, values, step, to)
  const time = cursor === null ? undefined : times[cursor]
  return (
    <ChartFrame
      title={title}
      at={time}
      outdated={cursor === null ? latest.outdated : undefined}
      several={count > 1 || compares}
      values={
        <ChartLegend
          lines={lines}
          styles={styles}
          values={values.map((column, line) =>
            textOf(cursor === null ? latest.values[line] : column[cursor], unit),
          )}
          of={most === undefined || unit === 'share' ? undefined : formatInUnit(most, unit)}
          earlier={compares ? { label: earlierLabel, style: earlierStyle(lineStyle(0, alike)) } : undefined}
        />
      }
    >
      <p className="sr-only">{chartSummary({ lines, columns: [times, ...values], unit, earlier })}</p>
      <div
        aria-hidden
        className="relative"
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
      >
        <LazyChartCanvas
          {...{ unit, drawn, together, onSelect }}
          styles={drawnStyles}
          fills={count === 1}
          onCursor={setCursor}
        />
        <ChartMarkers markers={markers} from={from} to={to} active={activeMarker} />
        {isHovered && cursor !== null && time !== undefined && (
          <ChartTooltip
            {...{ unit, lines, styles, earlier }}
            at={time}
            index={cursor}
            share={(time - from) / (to - from)}
            columns={values}
          />
        )}
        {all.every((column) => valueRange(column) === undefined) && (
          <p className="absolute inset-x-0 top-12 text-center text-sm text-muted">No data in this range</p>
        )}
      </div>
    </ChartFrame>
  )
}

/** Returns whether all values are so small that the lines would be invisible at the bottom of the axis. */
const isLittle = ([, ...lines]: [number[], ...ChartColumn[]], most: number) =>
  lines.every((line) => (valueRange(line)?.most ?? most) < most / 5)

const textOf = (value: ChartColumn[number], unit: Unit) =>
  typeof value === 'number' ? formatInUnit(value, unit) : '–'

let loaded: ComponentType<ChartCanvasProps> | undefined
const loading = async () => (loaded ??= (await import('./chart-canvas.tsx')).ChartCanvas)

/** Canvas whose code is loaded on demand. Once it is loaded, it renders synchronously. */
function LazyChartCanvas(props: ChartCanvasProps) {
  const [Canvas, setCanvas] = useState(() => loaded)
  const [failure, setFailure] = useState<{ cause: unknown }>()
  useEffect(() => {
    if (!Canvas)
      loading().then(
        (component) => setCanvas(() => component),
        (cause: unknown) => setFailure({ cause }),
      )
  }, [Canvas])
  if (failure) throw failure.cause
  return Canvas ? <Canvas {...props} /> : null
}

interface ChartFrameProps {
  title: string
  at?: number | undefined
  /** Time of the latest values, if they are not current. */
  outdated?: number | undefined
  values: ReactNode
  several: boolean
  children?: ReactNode
}

/** Frame of a chart. It reserves the height before the chart is loaded. */
function ChartFrame({ title, at, outdated, values, several, children }: ChartFrameProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex h-full min-w-0 flex-col gap-2 rounded-lg border border-line bg-raised p-4 max-sm:p-3"
    >
      <div className={classNames('flex justify-between gap-x-4 gap-y-1', several && 'flex-col')}>
        <div className="flex items-baseline gap-2 whitespace-nowrap">
          <h3 id={id} className="text-sm font-medium">
            {title}
          </h3>
          {at !== undefined && <time className="text-xs text-muted">{clockTime(at)}</time>}
          {outdated !== undefined && <Age at={outdated} />}
        </div>
        {values}
      </div>
      <div className="mt-auto" style={{ height: plotArea.height }}>
        {children}
      </div>
    </section>
  )
}

/** Shows the age of the values in the legend. */
function Age({ at }: { at: number }) {
  const now = useNow()
  return (
    <time className="text-xs text-yellow-ink" title={clockTime(at)}>
      {relativeTime(new Date(at * 1000), new Date(now))}
    </time>
  )
}

export function ChartSkeleton({ title, several }: { title: string; several: boolean }) {
  return (
    <ChartFrame title={title} several={several} values={<Skeleton sized className="h-5 w-20" />}>
      <Skeleton sized className="h-full w-full" />
    </ChartFrame>
  )
}
