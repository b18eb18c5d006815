import type uPlot from 'uplot'
import { type ChartColumn, isolatedIndexes } from './chart-points.ts'
import { axisTime } from './chart-time.ts'
import { axisSteps, formatInUnit, type Unit } from './chart-units.ts'
import { type LineStyle, plotArea } from './line-styles.ts'

export interface ChartData {
  columns: [number[], ...ChartColumn[]]
  from: number
  to: number
  top: number | undefined
  threshold?: number | undefined
  marks?: readonly number[] | undefined
}

interface ChartOptions {
  unit: Unit
  styles: readonly LineStyle[]
  fills: boolean
  together: string
  drawn: () => ChartData
  onCursor: (at: number | null) => void
  onSelect: ((from: number, to: number) => void) | undefined
}

/** Returns the options of uPlot. Colors are read on every draw, so that a change of the theme needs no new chart. */
export function chartOptions(options: ChartOptions): Omit<uPlot.Options, 'width'> {
  const { unit, styles, fills, together, drawn, onCursor, onSelect } = options
  return {
    height: plotArea.height,
    padding: [plotArea.top, plotArea.right, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: onSelect !== undefined, y: false, setScale: false, dist: 4 },
      sync: { key: together, setSeries: false, filters: { pub: isShared, sub: () => true } },
      points: { size: 6, width: 0, fill: (_, series) => `var(${styles[series - 1]?.color})` },
    },
    scales: {
      x: { time: true, range: () => [drawn().from, drawn().to] },
      y: { range: (_, __, most) => [0, drawn().top ?? roomFor(most, drawn().threshold)] },
    },
    axes: [
      {
        ...axisOptions,
        space: 64,
        size: plotArea.bottom,
        values: (_, times, __, ___, step) => times.map((at) => axisTime(at, step)),
      },
      {
        ...axisOptions,
        space: 24,
        size: plotArea.left,
        incrs: axisSteps(unit),
        splits: (_, __, ___, top, step) => (drawn().top ? [0, top / 2, top] : multiples(step, top)),
        values: (_, values) => values.map((value) => formatInUnit(value, unit)),
      },
    ],
    series: [{}, ...styles.map((style, at) => lineOptions(style, fills && at === styles.length - 1))],
    plugins: [thresholdLine(unit, drawn)],
    hooks: {
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
      setSelect: [(plot) => reportSelection(plot, onSelect)],
    },
  }
}

/** Returns whether charts share the event. They share the cursor, but the selection belongs to one of them. */
const isShared = (type: string) => type === 'mousemove' || type === 'mouseleave'

function reportSelection(plot: uPlot, onSelect: ChartOptions['onSelect']) {
  const { left, width } = plot.select
  if (width === 0) return
  const [from, to] = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  onSelect?.(from, to)
}

const axisOptions: uPlot.Axis = {
  stroke: () => themeColor('--muted'),
  font: "12px 'Inter Variable', system-ui, sans-serif",
  gap: 6,
  grid: { stroke: () => themeColor('--line'), width: 1 },
  ticks: { show: false },
}

function lineOptions({ color, dash, width, opacity }: LineStyle, fills: boolean): uPlot.Series {
  // A single value between two gaps has no line, so draw a dot.
  const dots = {
    show: true,
    size: 4,
    filter: (plot: uPlot, at: number) => isolatedIndexes(plot.data[at] ?? []),
  }
  return {
    stroke: () => withOpacity(color, opacity),
    // The canvas counts device pixels, so convert from CSS pixels.
    dash: dash.map((length) => length * window.devicePixelRatio),
    width,
    cap: 'round',
    points: dots,
    ...(fills && { fill: () => withOpacity(color, 0.08) }),
  }
}

const themeColor = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)

const withOpacity = (name: string, opacity: number) =>
  opacity === 1 ? themeColor(name) : `color-mix(in srgb, ${themeColor(name)} ${opacity * 100}%, transparent)`

const multiples = (step: number, top: number) =>
  Array.from({ length: Math.floor(top / step) + 1 }, (_, times) => times * step)

const roomFor = (most: number | null, threshold = 0) => Math.max(Math.max(most ?? 0, threshold) * 1.15, 1)

const lineClasses = 'pointer-events-none absolute inset-x-0 top-0 border-t border-dashed border-red'
const labelClasses =
  'absolute right-0 rounded-sm bg-raised px-1 text-xs font-medium text-red-ink tabular-nums'
const markClasses = 'pointer-events-none absolute bottom-0 left-0 h-2 w-0.5 -translate-x-1/2 bg-red'

const LABEL = 18

/** Draws the threshold with elements above the canvas, which follow the theme without a redraw. */
function thresholdLine(unit: Unit, drawn: () => ChartData): uPlot.Plugin {
  const line = made(lineClasses)
  const label = made(labelClasses)
  const marks = made('')
  line.append(label)
  line.dataset['threshold'] = ''

  function draw(plot: uPlot) {
    const { threshold, marks: moments = [] } = drawn()
    line.hidden = threshold === undefined
    if (threshold !== undefined) {
      const at = plot.valToPos(threshold, 'y')
      line.style.transform = `translateY(${at}px)`
      label.style.bottom = at < LABEL ? 'auto' : '0'
      label.textContent = formatInUnit(threshold, unit)
    }
    marks.replaceChildren(
      ...moments.map((moment) => {
        const mark = made(markClasses)
        mark.style.left = `${plot.valToPos(moment, 'x')}px`
        return mark
      }),
    )
  }

  return { hooks: { init: (plot) => plot.over.append(line, marks), draw } }
}

function made(look: string): HTMLElement {
  const element = document.createElement('div')
  element.className = look
  return element
}
