import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import { type ChartData, chartOptions } from './chart-options.ts'
import type { Unit } from './chart-units.ts'
import type { LineStyle } from './line-styles.ts'

export interface ChartCanvasProps {
  unit: Unit
  drawn: ChartData
  styles: readonly LineStyle[]
  fills: boolean
  /** Name of a group of charts that share their cursor. */
  together: string
  onCursor: (at: number | null) => void
  onSelect?: ((from: number, to: number) => void) | undefined
}

/** Chart canvas. It is in a chunk of its own with uPlot, so that only pages with charts load it. */
export function ChartCanvas({ unit, drawn, styles, fills, together, onCursor, onSelect }: ChartCanvasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef({ drawn, onSelect })
  const selects = onSelect !== undefined

  useEffect(() => {
    latest.current = { drawn, onSelect }
  }, [drawn, onSelect])

  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const options = chartOptions({
      unit,
      styles,
      fills,
      together,
      drawn: () => latest.current.drawn,
      onCursor,
      onSelect: selects ? (from, to) => latest.current.onSelect?.(from, to) : undefined,
    })
    const columns = latest.current.drawn.columns
    const made = new uPlot({ ...options, width: element.clientWidth }, columns, element)
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
  }, [unit, styles, fills, together, selects, onCursor])

  useEffect(() => {
    plot.current?.setData(drawn.columns)
  }, [drawn])

  return <div ref={frame} className="overflow-hidden [&_.u-select]:bg-accent-ink/20" />
}
