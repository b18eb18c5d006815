import { setTimeout as sleep } from 'node:timers/promises'

/** So long, or until it is over. */
export const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => {})
