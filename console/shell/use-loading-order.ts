import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A part that takes longer does not hold back what is below it. */
const limitMs = 3_000

/**
 * While a page loads, its parts appear from top to bottom, so that none is pushed down by one above it: theme.css hides what
 * is below `data-pending`. Parts that load later, after an action of the user, hide nothing.
 */
export function useLoadingOrder(pathname: string): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const main = ref.current
    if (!main?.querySelector('[data-pending]')) return
    main.dataset['loading'] = ''
    const end = () => {
      delete main.dataset['loading']
      observer.disconnect()
      clearTimeout(timer)
    }
    const observer = new MutationObserver(() => {
      if (!main.querySelector('[data-pending]')) end()
    })
    observer.observe(main, { childList: true, subtree: true })
    const timer = setTimeout(end, limitMs)
    return end
  }, [pathname])
  return ref
}
