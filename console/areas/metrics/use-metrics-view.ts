import { useLocation, useSearchParams } from 'react-router'
import {
  findRange,
  type MetricsRange,
  type MetricsSpan,
  parsePastSpan,
  type PastSpan,
  toMetricsSpan,
  toZoom,
} from './metrics-span.ts'

export interface MetricsView {
  range: MetricsRange
  /** Past span that replaces the range. */
  past: PastSpan | undefined
  span: MetricsSpan
  compares: boolean
  chooseRange: (key: string) => void
  zoom: (selected: PastSpan) => void
  chooseSpan: (chosen: PastSpan) => void
  move: (to: PastSpan) => void
  resetZoom: () => void
  setCompares: (compares: boolean) => void
}

/** State of the charts of a page. The URL stores it, so that links share the view. */
export function useMetricsView(): MetricsView {
  const [params, setParams] = useSearchParams()
  const state: unknown = useLocation().state
  const range = findRange(params.get('range'))
  const past = parsePastSpan(params.get('from'), params.get('until'))

  const update = (values: Record<string, string | undefined>, replace: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values))
          if (value === undefined) after.delete(name)
          else after.set(name, value)
        return after
      },
      { replace, ...(replace && !('dialog' in values) && { state }) },
    )
  const toParams = ({ from, until }: PastSpan) => ({ from: toParam(from), until: toParam(until) })

  return {
    range,
    past,
    span: past ? toMetricsSpan(past) : range,
    compares: params.get('compare') === 'day-before',
    chooseRange: (key) =>
      update(
        { range: key === findRange(null).key ? undefined : key, from: undefined, until: undefined },
        true,
      ),
    // A zoom adds a history entry, so that Back restores the previous view.
    zoom: (selected) => update(toParams(toZoom(selected, Date.now() / 1000)), false),
    // The open dialog is a history entry of its own, so replace it.
    chooseSpan: (chosen) =>
      update({ ...toParams(toZoom(chosen, Date.now() / 1000)), dialog: undefined }, true),
    move: (to) => update(toParams(to), past !== undefined),
    resetZoom: () => update({ from: undefined, until: undefined }, false),
    setCompares: (compares) => update({ compare: compares ? 'day-before' : undefined }, true),
  }
}

const toParam = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
