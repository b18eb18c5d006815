import { useEffect, useState } from 'react'

const minute = 60_000

/** Minutes until then, counted down as they pass; 0 when less than half of one is left. */
export function useMinutesLeft(until: string | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  return until === undefined ? 0 : Math.max(0, Math.round((Date.parse(until) - now) / minute))
}
