import { type RefObject, useLayoutEffect, useState } from 'react'

const signs = 100
/** What the width of one sign is measured with. */
export const ruler = '0'.repeat(signs)

/** How many signs fit beside each other in a line's text; for now a guess, until both are on screen. */
export function useColumns(
  text: RefObject<HTMLElement | null>,
  sample: RefObject<HTMLElement | null>,
): number {
  const [columns, setColumns] = useState(100)
  useLayoutEffect(() => {
    const [box, measure] = [text.current, sample.current]
    if (!box || !measure) return undefined
    const look = () => {
      const padding = Number.parseFloat(getComputedStyle(box).paddingRight)
      const sign = measure.getBoundingClientRect().width / signs
      // A hair more than fits may still be drawn in one line.
      if (sign > 0) setColumns(Math.max(1, Math.floor((box.clientWidth - padding) / sign + 0.01)))
    }
    const observer = new ResizeObserver(look)
    observer.observe(box)
    observer.observe(measure)
    return () => observer.disconnect()
  }, [text, sample])
  return columns
}
