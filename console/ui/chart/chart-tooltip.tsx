import { useLayoutEffect, useRef } from 'react'
import { LineSample } from './chart-legend.tsx'
import type { ChartColumn } from './chart-points.ts'
import { clockTime } from './chart-time.ts'
import { formatDifference, formatInUnit, type Unit } from './chart-units.ts'
import { type LineStyle, plotArea } from './line-styles.ts'

interface ChartTooltipProps {
  at: number
  index: number
  /** Position of the cursor in the chart, from 0 to 1. */
  share: number
  unit: Unit
  lines: readonly string[]
  styles: readonly LineStyle[]
  columns: readonly ChartColumn[]
  earlier: { label: string; columns: readonly ChartColumn[] } | undefined
}

const DISTANCE = 10

/** Shows the values under the cursor, beside it if there is room. */
export function ChartTooltip(props: ChartTooltipProps) {
  const { at, index, share, unit, lines, styles, columns, earlier } = props
  const text = (value: ChartColumn[number]) => (typeof value === 'number' ? formatInUnit(value, unit) : '–')
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = frame.current
    const room = element?.parentElement?.clientWidth
    if (!element || room === undefined) return
    const cursor = plotArea.left + share * (room - plotArea.left - plotArea.right)
    const left = share > 0.5 ? cursor - DISTANCE - element.offsetWidth : cursor + DISTANCE
    element.style.left = `${Math.max(0, Math.min(left, room - element.offsetWidth))}px`
  })
  return (
    <div
      ref={frame}
      className="pointer-events-none absolute top-1 z-20 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap tabular-nums shadow-float"
    >
      <table>
        <thead>
          <tr className="text-muted">
            <th colSpan={earlier ? 2 : 3} className="pr-3 text-left font-normal">
              {clockTime(at)}
            </th>
            {earlier &&
              ['Value', earlier.label, 'Change'].map((head) => (
                <th key={head} className="pl-3 text-right font-normal">
                  {head}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <tr key={line}>
              <td>
                <LineSample style={styles[at]} />
              </td>
              <td className="max-w-40 truncate pl-1.5 text-muted">{line}</td>
              <td className="pl-3 text-right font-medium">{text(columns[at]?.[index])}</td>
              {earlier && (
                <>
                  <td className="pl-3 text-right text-muted">{text(earlier.columns[at]?.[index])}</td>
                  <td className="pl-3 text-right font-medium">
                    {formatDifference(columns[at]?.[index], earlier.columns[at]?.[index], unit)}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
