/** Runs at most `most` tasks at a time, in the order of their calls. With `mostWaiting` in the queue, a call fails with `busy()`. */
export function createSemaphore(most: number, mostWaiting: number, busy: () => Error) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running < most) running++
    else if (waiting.length >= mostWaiting) throw busy()
    // Whoever ends passes its place on, so `running` stays as it is.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
