import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** Scrolls new pages to the top; the browser restores the position on back navigation. */
export function useArrival() {
  const { pathname } = useLocation()
  const how = useNavigationType()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (how !== NavigationType.Pop) window.scrollTo(0, 0)
    // The focused element was removed with the previous page.
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname, how])
}
