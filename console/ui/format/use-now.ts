import { useSyncExternalStore } from 'react'

/** Current time, refreshed for relative times. */
export const useNow = () => useSyncExternalStore(everyTenSeconds, roundedNow)

function everyTenSeconds(listener: () => void) {
  const timer = setInterval(listener, 10_000)
  return () => clearInterval(timer)
}

const roundedNow = () => Math.floor(Date.now() / 10_000) * 10_000
