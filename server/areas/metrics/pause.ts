import { setTimeout as sleep } from 'node:timers/promises'

export const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => {})
