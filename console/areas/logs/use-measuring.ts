import { type RefObject, useLayoutEffect } from 'react'
import type { Rows } from './rows.ts'

/** Lines that are wrapped may be higher than was thought: what is drawn tells. */
export function useMeasuring(
  drawn: RefObject<HTMLElement | null>,
  rows: Rows,
  wrap: boolean,
  redraw: () => void,
) {
  useLayoutEffect(() => {
    if (!wrap || !drawn.current) return
    const wrong = new Map<number, number>()
    for (const element of drawn.current.children) {
      if (!(element instanceof HTMLElement)) continue
      const index = rows.indexOf(Number(element.dataset['number']))
      const height = element.offsetHeight
      if (Math.abs(rows.topOf(index + 1) - rows.topOf(index) - height) > 0.5) wrong.set(index, height)
    }
    if (wrong.size === 0) return
    rows.correct(wrong)
    redraw()
  })
}
