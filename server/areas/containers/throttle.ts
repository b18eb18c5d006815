import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does something for a key at once, and once more if it was asked for again meanwhile, but never twice at a time and
 * no sooner than `every` milliseconds after it was last begun: a storm of askers costs little, and the last is heard.
 */
export function createThrottle<K extends string>(
  every: number,
  work: (key: K) => Promise<void>,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): (key: K) => void {
  /** Those that are being done, and whether they were asked for again. */
  const busy = new Map<K, boolean>()

  async function keepUp(key: K) {
    do {
      busy.set(key, false)
      const pause = sleep(every, undefined, { signal }).catch(() => {})
      await work(key)
      await pause
    } while (busy.get(key) === true && !signal.aborted)
  }

  return (key) => {
    if (signal.aborted) return
    if (busy.has(key)) busy.set(key, true)
    else
      keepUp(key)
        .catch(onError)
        .finally(() => busy.delete(key))
  }
}
