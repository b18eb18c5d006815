import { type ComponentType, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { type ChartColumn, hasEnded, type Point, toColumns, valueRange } from './chart-points.ts'
import { formatInUnit, type Unit } from './chart-units.ts'
import type { ChartCanvasProps } from './chart-canvas.tsx'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../skeleton.tsx'

interface ChartProps {
  title: string
  unit: Unit
  /** Name of each line; not shown for a single line. */
  lines: readonly string[]
  points: readonly Point[]
  /** Seconds between points; a longer interval is a gap. */
  step: number
  from: number
  to: number
  /** Upper limit of the axis, such as total memory. */
  most?: number | undefined
  /** Scales the axis to the data if the values are far below the limit. */
  zooms?: boolean | undefined
  together: string
  alike?: boolean | undefined
  threshold?: number | undefined
  marks?: readonly number[] | undefined
}

export function Chart(props: ChartProps) {
  const { title, unit, lines, points, step, from, to, most, zooms, together, alike = false } = props
  const { threshold, marks } = props
  const [cursor, setCursor] = useState<number | null>(null)
  const columns = useMemo(() => toColumns(points, step, lines.length), [points, step, lines.length])
  const isBeyond = most !== undefined && threshold !== undefined && threshold > most
  const top = isBeyond || (zooms && most !== undefined && isLittle(columns, most)) ? undefined : most
  const drawn = useMemo(
    () => ({ columns, from, to, top, threshold, marks }),
    [columns, from, to, top, threshold, marks],
  )
  const [times, ...values] = columns
  const at = cursor ?? (hasEnded(times, step, to) ? undefined : times.length - 1)
  const texts = values.map((column) => valueAt(column, at, unit))
  const all = most === undefined || unit === 'share' ? undefined : formatInUnit(most, unit)
  return (
    <ChartFrame
      title={title}
      at={cursor === null ? undefined : times[cursor]}
      several={lines.length > 1}
      values={<ChartValues lines={lines} values={texts} of={all} alike={alike} />}
    >
      <p className="sr-only">{summary(lines, values, unit)}</p>
      <div aria-hidden>
        <LazyChartCanvas {...{ unit, drawn, alike, together }} onCursor={setCursor} />
      </div>
    </ChartFrame>
  )
}

/** Returns whether all values are so small that the lines would be invisible at the bottom of the axis. */
const isLittle = ([, ...lines]: [number[], ...ChartColumn[]], most: number) =>
  lines.every((line) => (valueRange(line)?.most ?? most) < most / 5)

function valueAt(column: ChartColumn, at: number | undefined, unit: Unit): string {
  const value = at === undefined ? null : column[at]
  return typeof value === 'number' ? formatInUnit(value, unit) : '–'
}

function summary(lines: readonly string[], columns: readonly ChartColumn[], unit: Unit): string {
  const sentences = columns.map((column, line) => {
    const range = valueRange(column)
    const words = range
      ? `lowest ${formatInUnit(range.least, unit)}, highest ${formatInUnit(range.most, unit)}, on average ${formatInUnit(range.mean, unit)}.`
      : 'no data.'
    return `${lines[line]}: ${words}`
  })
  return sentences.join(' ')
}

let loaded: ComponentType<ChartCanvasProps> | undefined
const loading = async () => (loaded ??= (await import('./chart-canvas.tsx')).ChartCanvas)

/** Renders synchronously once the chunk is loaded. */
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
  values: ReactNode
  several: boolean
  children?: ReactNode
}

/** Reserves its size before the chart is loaded. */
function ChartFrame({ title, at, values, several, children }: ChartFrameProps) {
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
          {at !== undefined && <time className="text-xs text-muted">{clock(at)}</time>}
        </div>
        {values}
      </div>
      <div className="h-36">{children}</div>
    </section>
  )
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

function clock(at: number): string {
  const when = new Date(at * 1000)
  const today = when.toDateString() === new Date().toDateString()
  return today ? time.format(when) : `${day.format(when)}, ${time.format(when)}`
}

interface ChartValuesProps {
  lines: readonly string[]
  values: readonly string[]
  of: string | undefined
  alike: boolean
}

function ChartValues({ lines, values, of, alike }: ChartValuesProps) {
  return (
    <p className="flex flex-wrap gap-x-4 text-sm tabular-nums">
      {values.map((value, line) => (
        <span key={lines[line]} className="flex items-center gap-1.5 whitespace-nowrap">
          {lines.length > 1 && (
            <>
              <span
                aria-hidden
                className={classNames('w-3.5 shrink-0 border-t-2', (alike ? alikeMarks : marks)[line])}
              />
              <span className="max-w-40 truncate text-muted">{lines[line]}</span>
            </>
          )}
          <span className="font-medium">{value}</span>
          {of && <span className="text-muted">of {of}</span>}
        </span>
      ))}
    </p>
  )
}

/** Must match the colors in chart-options.ts. */
const first = ['border-accent-ink', 'border-dashed border-muted', 'border-dotted border-faint']
const marks = [...first, 'border-dashed border-red-ink']
const alikeMarks = [...first, 'border-dashed border-ink', 'border-dotted border-accent-ink']

export function ChartSkeleton({ title, several }: { title: string; several: boolean }) {
  return (
    <ChartFrame title={title} several={several} values={<Skeleton className="h-5 w-20" />}>
      <Skeleton className="h-full w-full" />
    </ChartFrame>
  )
}
