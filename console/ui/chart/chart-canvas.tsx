import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import { type Drawn, look } from './chart-look.ts'
import type { Unit } from './chart-units.ts'

export interface ChartCanvasProps {
  unit: Unit
  drawn: Drawn
  /** The lines are of one kind: none of them is of what failed. */
  alike: boolean
  /** Charts of one name share their cursor. */
  together: string
  /** Which time is pointed at, in any of the charts together. */
  onCursor: (at: number | null) => void
}

/** The drawing itself; with uPlot in a file of its own, which only pages with charts load. */
export function ChartCanvas({ unit, drawn, alike, together, onCursor }: ChartCanvasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(drawn)
  const lines = drawn.columns.length - 1

  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const options = look(unit, lines, alike, together, () => latest.current, onCursor)
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
