import { useEffect, useState } from 'react'

/**
 * Leads to a page of Stripe. That takes a moment, in which `leaving` is true; who comes back from there by the way back finds
 * this page as they left it, and may want to go again.
 */
export function useLeaving() {
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
