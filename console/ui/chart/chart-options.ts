import type uPlot from 'uplot'
import { type ChartColumn, isolatedIndexes } from './chart-points.ts'
import { axisSteps, formatInUnit, type Unit } from './chart-units.ts'

export interface ChartData {
  columns: [number[], ...ChartColumn[]]
  from: number
  to: number
  /** Upper limit of the value axis; defaults to the highest value. */
  top: number | undefined
  threshold?: number | undefined
  marks?: readonly number[] | undefined
}

/** Must match the height in chart.tsx. */
const HEIGHT = 144

/** Dashes distinguish the lines without color. */
const first = [
  { colour: '--accent-ink', dash: [] },
  { colour: '--muted', dash: [6, 3] },
  { colour: '--faint', dash: [2, 2] },
]
// The fourth line shows errors, unless all lines are of one kind.
const strokes = [...first, { colour: '--red-ink', dash: [8, 3, 2, 3] }]
const alikeStrokes = [
  ...first,
  { colour: '--ink', dash: [8, 3, 2, 3] },
  { colour: '--accent-ink', dash: [3, 3] },
]

/** Reads the colors on every draw, so that a theme change needs no new chart. */
export function chartOptions(
  unit: Unit,
  lines: number,
  alike: boolean,
  together: string,
  drawn: () => ChartData,
  onCursor: (at: number | null) => void,
): Omit<uPlot.Options, 'width'> {
  return {
    height: HEIGHT,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: together, setSeries: false },
      points: { size: 6, width: 0, fill: (_, series) => `var(${strokeOf(series - 1, alike).colour})` },
    },
    scales: {
      x: { time: true, range: () => [drawn().from, drawn().to] },
      y: { range: (_, __, most) => [0, drawn().top ?? roomFor(most, drawn().threshold)] },
    },
    axes: [
      {
        ...axisOptions,
        space: 64,
        size: 24,
        values: (_, times, __, ___, step) => times.map((at) => clock(at, step)),
      },
      {
        ...axisOptions,
        space: 36,
        size: 68,
        incrs: axisSteps(unit),
        splits: (_, __, ___, top, step) => (drawn().top ? [0, top / 2, top] : multiples(step, top)),
        values: (_, values) => values.map((value) => formatInUnit(value, unit)),
      },
    ],
    series: [{}, ...Array.from({ length: lines }, (_, line) => lineOptions(line, alike))],
    plugins: [thresholdLine(unit, drawn)],
    hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
  }
}

const axisOptions: uPlot.Axis = {
  stroke: () => colour('--muted'),
  font: "12px 'Inter Variable', system-ui, sans-serif",
  gap: 6,
  grid: { stroke: () => colour('--line'), width: 1 },
  ticks: { show: false },
}

function lineOptions(line: number, alike: boolean): uPlot.Series {
  const { colour: name, dash } = strokeOf(line, alike)
  // A single value between two gaps has no line, so draw a dot.
  const dots = {
    show: true,
    size: 3,
    filter: (plot: uPlot, at: number) => isolatedIndexes(plot.data[at] ?? []),
  }
  return { stroke: () => colour(name), width: 1.5, dash, points: dots }
}

const strokeOf = (line: number, alike: boolean) =>
  (alike ? alikeStrokes : strokes)[line] ?? { colour: '--ink', dash: [] }

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)

const multiples = (step: number, top: number) =>
  Array.from({ length: Math.floor(top / step) + 1 }, (_, times) => times * step)

const roomFor = (most: number | null, threshold = 0) => Math.max(Math.max(most ?? 0, threshold) * 1.15, 1)

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

function clock(at: number, step: number): string {
  const when = new Date(at * 1000)
  const midnight = when.getHours() === 0 && when.getMinutes() === 0
  return (midnight || step >= 86_400 ? day : time).format(when)
}

const lineClasses = 'pointer-events-none absolute inset-x-0 top-0 border-t border-dashed border-red'
const labelClasses =
  'absolute right-0 rounded-sm bg-raised px-1 text-xs font-medium text-red-ink tabular-nums'
const markClasses = 'pointer-events-none absolute bottom-0 left-0 h-2 w-0.5 -translate-x-1/2 bg-red'

const LABEL = 18

/** Threshold line and time markers as elements above the canvas. */
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
