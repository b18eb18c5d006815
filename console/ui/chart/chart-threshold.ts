import type uPlot from 'uplot'
import type { ChartData } from './chart-options.ts'
import { formatInUnit, type Unit } from './chart-units.ts'

const lineClasses = 'pointer-events-none absolute inset-x-0 top-0 border-t border-dashed border-red'
const labelClasses =
  'absolute right-0 rounded-sm bg-raised px-1 text-xs font-medium text-red-ink tabular-nums'
const markClasses = 'pointer-events-none absolute bottom-0 left-0 h-2 w-0.5 -translate-x-1/2 bg-red'

/** Space for the label above the line. */
const LABEL = 18

/** Threshold line and time markers as elements above the canvas. */
export function thresholdLine(unit: Unit, drawn: () => ChartData): uPlot.Plugin {
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
