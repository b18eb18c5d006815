import { useEffect, useState } from 'react'

/**
 * Navigates to a Stripe page; `leaving` is true meanwhile. Reset when the browser restores this page from its back/forward cache.
 */
export function useExternalRedirect() {
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const stay = () => setLeaving(false)
    window.addEventListener('pageshow', stay)
    return () => window.removeEventListener('pageshow', stay)
  }, [])

  function leaveTo(url: string) {
    setLeaving(true)
    window.location.assign(url)
  }

  return { leaving, leaveTo }
}
