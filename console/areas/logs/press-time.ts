import type { MouseEvent } from 'react'

/** One listener for the times of all lines; a press that opens another window is left to the browser. */
export function pressTime(event: MouseEvent<HTMLElement>, onTime: (at: string) => void) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const at = link?.querySelector('time')?.dateTime
  if (at === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  onTime(at)
}
