import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Maximum time for which a slow part hides what is below it. */
const limitMs = 3_000

const isPending = (main: HTMLElement) => main.querySelector('[data-pending]') !== null

/**
 * Makes the parts of a page appear from top to bottom while it loads, so that no part moves another: theme.css hides
 * what is below `data-pending`. Parts that load later, after an action of the user, hide nothing.
 */
export function useLoadingOrder(pathname: string): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const main = ref.current
    if (!main) return undefined
    const end = (result: 'complete' | 'late') => {
      main.dataset['loading'] = result
      observer.disconnect()
      clearTimeout(timer)
    }
    const observer = new MutationObserver(() => {
      if (!isPending(main)) end('complete')
    })
    const timer = setTimeout(() => end('late'), limitMs)
    main.dataset['loading'] = 'ordered'
    if (isPending(main)) observer.observe(main, { childList: true, subtree: true })
    else end('complete')
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
    // oxlint-disable-next-line exhaustive-effect-dependencies -- each page loads its own parts
  }, [pathname])
  return ref
}
