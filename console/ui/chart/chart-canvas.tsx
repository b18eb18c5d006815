import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import { type ChartData, chartOptions } from './chart-options.ts'
import type { Unit } from './chart-units.ts'

export interface ChartCanvasProps {
  unit: Unit
  drawn: ChartData
  /** All lines are of one kind, so the last one is not styled as errors. */
  alike: boolean
  /** Charts with the same name share their cursor. */
  together: string
  /** Time under the cursor, in any of the linked charts. */
  onCursor: (at: number | null) => void
}

/** In its own chunk with uPlot, loaded by pages with charts only. */
export function ChartCanvas({ unit, drawn, alike, together, onCursor }: ChartCanvasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(drawn)
  const lines = drawn.columns.length - 1

  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const options = chartOptions(unit, lines, alike, together, () => latest.current, onCursor)
    const made = new uPlot({ ...options, width: element.clientWidth }, latest.current.columns, element)
    plot.current = made
    const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: made.height }))
    sizes.observe(element)
    const themes = new MutationObserver(() => made.redraw(false))
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      made.destroy()
    }
  }, [unit, lines, alike, together, onCursor])

  useEffect(() => {
    latest.current = drawn
    plot.current?.setData(drawn.columns)
  }, [drawn])

  return <div ref={frame} className="overflow-hidden" />
}
