import { pause } from '../../platform/async.ts'

/**
 * Runs immediately, and again if requested meanwhile, but never concurrently per key and at most once per `every`
 * milliseconds, so that bursts are cheap and the last request counts.
 */
export function createThrottle<K extends string>(
  every: number,
  work: (key: K) => Promise<void>,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): (key: K) => void {
  /** Running keys, and whether another run was requested. */
  const busy = new Map<K, boolean>()

  async function keepUp(key: K) {
    do {
      busy.set(key, false)
      const delay = pause(every, signal)
      await work(key)
      await delay
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
