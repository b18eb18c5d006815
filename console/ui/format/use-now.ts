import { useSyncExternalStore } from 'react'

/** The time, for what is said relative to it. */
export const useNow = () => useSyncExternalStore(everyTenSeconds, roundedNow)

function everyTenSeconds(listener: () => void) {
  const timer = setInterval(listener, 10_000)
  return () => clearInterval(timer)
}

const roundedNow = () => Math.floor(Date.now() / 10_000) * 10_000
