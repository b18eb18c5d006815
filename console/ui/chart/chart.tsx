import { useMemo, useState } from 'react'
import { type ChartColumn, valueRange, hasEnded, type Point, toColumns } from './chart-points.ts'
import { ChartFrame, ChartValues } from './chart-frame.tsx'
import { LazyChartCanvas } from './chart-lazy-canvas.tsx'
import { formatInUnit, type Unit } from './chart-units.ts'

interface ChartProps {
  title: string
  unit: Unit
  /** Name of each line; not shown for a single line. */
  lines: readonly string[]
  points: readonly Point[]
  /** Seconds between points; a longer interval is a gap. */
  step: number
  /** Range of the time axis, in seconds. */
  from: number
  to: number
  /** Upper limit of the axis, such as total memory. */
  most?: number | undefined
  /** Scales the axis to the data if the values are far below the limit. */
  zooms?: boolean | undefined
  /** Charts with the same name share their cursor. */
  together: string
  /** All lines are of one kind, so the last one is not styled as errors. */
  alike?: boolean | undefined
  /** Threshold line. */
  threshold?: number | undefined
  /** Time markers, in seconds. */
  marks?: readonly number[] | undefined
}

/** Line chart. Shows the latest values next to the title, or those under the cursor. */
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
  const said = values.map((column) => valueAt(column, at, unit))
  const all = most === undefined || unit === 'share' ? undefined : formatInUnit(most, unit)
  return (
    <ChartFrame
      title={title}
      at={cursor === null ? undefined : times[cursor]}
      several={lines.length > 1}
      values={<ChartValues lines={lines} values={said} of={all} alike={alike} />}
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

/** Text alternative for screen readers. */
function summary(lines: readonly string[], columns: readonly ChartColumn[], unit: Unit): string {
  const sentences = columns.map((column, line) => {
    const range = valueRange(column)
    const words = range
      ? `lowest ${formatInUnit(range.least, unit)}, highest ${formatInUnit(range.most, unit)}, on average ${formatInUnit(range.mean, unit)}.`
      : 'nothing was measured.'
    return `${lines[line]}: ${words}`
  })
  return sentences.join(' ')
}
