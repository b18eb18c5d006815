import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export function createKeyedMutex() {
  const lastByKey = new Map<unknown, Promise<unknown>>()
  return <T>(key: unknown, task: () => Promise<T>): Promise<T> => {
    const result: Promise<T> = runAfter(lastByKey.get(key), task).finally(() => {
      if (lastByKey.get(key) === result) lastByKey.delete(key)
    })
    lastByKey.set(key, result)
    return result
  }
}

async function runAfter<T>(previous: Promise<unknown> | undefined, task: () => Promise<T>): Promise<T> {
  await previous?.catch(() => {})
  return task()
}

export interface Semaphore {
  acquire(signal?: AbortSignal): Promise<() => void>
  isFull(): boolean
  waitingCount(): number
}

export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = []
  let acquired = 0

  function newPermit(): () => void {
    acquired++
    let released = false
    return () => {
      if (released) return
      released = true
      acquired--
      waiting.shift()?.()
    }
  }

  return {
    isFull: () => acquired >= limit,
    waitingCount: () => waiting.length,
    acquire(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (acquired < limit) return Promise.resolve(newPermit())
      return new Promise((resolve, reject) => {
        const proceed = () => {
          signal?.removeEventListener('abort', leave)
          resolve(newPermit())
        }
        const leave = () => {
          waiting.splice(waiting.indexOf(proceed), 1)
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(proceed)
      })
    },
  }
}

/**
 * Runs at most `limit` tasks at a time, in the order of their calls. While `maxQueued` tasks wait, a call fails with
 * `busy()`.
 */
export function createLimiter(limit: number, maxQueued: number, busy: () => Error) {
  const semaphore = createSemaphore(limit)
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (semaphore.isFull() && semaphore.waitingCount() >= maxQueued) throw busy()
    const release = await semaphore.acquire()
    try {
      return await task()
    } finally {
      release()
    }
  }
}

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => {})

export function lazy<T>(create: () => T): () => T {
  let created: { value: T } | undefined
  return () => (created ??= { value: create() }).value
}

/** Rejects when `signal` is aborted. The work itself continues, because other callers may wait for it. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/** Takes at least `milliseconds`, so that the duration does not reveal what `work` found (timing attack). */
export async function withMinimumDuration<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const minimum = sleep(milliseconds)
  try {
    return await work()
  } finally {
    await minimum
  }
}

/**
 * A compose file has at most 200 services, with a few requests each that share a signal. More listeners indicate a
 * leak.
 */
const MAX_LISTENERS = 1_000

/** Raises the listener limit of a signal that many concurrent requests share, because Node would report a leak. */
export function allowManyListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(MAX_LISTENERS, signal)
  return signal
}

/** Waits for all work before it throws, so that nothing is still running that could interfere with a revert. */
export async function allSettledOrThrow(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Creates a notifier whose `next` resolves at a notification, or after some milliseconds. Notifications in between are
 * combined.
 */
export function createNotifier() {
  let notified = false
  let wake: (() => void) | undefined
  return {
    notify: () => {
      notified = true
      wake?.()
    },
    async next(atMost: number): Promise<void> {
      if (!notified)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(atMost, 0))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = undefined
      notified = false
    },
  }
}

export function createFairQueue<T>(maxPerCaller: number) {
  const waiting = new Map<string, T[]>()
  const taken = new Map<string, number>()
  return {
    add(caller: string, entry: T): void {
      const queue = waiting.get(caller)
      if (queue) queue.push(entry)
      else waiting.set(caller, [entry])
    },
    countWaiting: (caller: string): number => waiting.get(caller)?.length ?? 0,
    take(): { entry: T; done: () => void } | undefined {
      for (const [caller, [entry, ...remaining]] of waiting) {
        const busy = taken.get(caller) ?? 0
        if (entry === undefined || busy >= maxPerCaller) continue
        waiting.delete(caller)
        if (remaining.length > 0) waiting.set(caller, remaining)
        taken.set(caller, busy + 1)
        return { entry, done: () => free(caller) }
      }
      return undefined
    },
    clear(): T[] {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    },
  }

  function free(caller: string) {
    const inProgress = (taken.get(caller) ?? 1) - 1
    if (inProgress > 0) taken.set(caller, inProgress)
    else taken.delete(caller)
  }
}
