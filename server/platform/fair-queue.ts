/** Creates a queue that serves callers in turn. Each has at most `mostOfOne` entries in progress. */
export function createFairQueue<T>(maxPerCaller: number) {
  /** In the order in which callers are served. */
  const waiting = new Map<string, T[]>()
  const taken = new Map<string, number>()
  return {
    add(of: string, one: T): void {
      const queue = waiting.get(of)
      if (queue) queue.push(one)
      else waiting.set(of, [one])
    },
    waitingOf: (of: string): number => waiting.get(of)?.length ?? 0,
    /** Returns undefined when no entry can start now. */
    take(): { one: T; done: () => void } | undefined {
      for (const [of, [one, ...rest]] of waiting) {
        const busy = taken.get(of) ?? 0
        if (one === undefined || busy >= maxPerCaller) continue
        waiting.delete(of)
        if (rest.length > 0) waiting.set(of, rest)
        taken.set(of, busy + 1)
        return { one, done: () => free(of) }
      }
      return undefined
    },
    /** Removes and returns all waiting entries. */
    clear(): T[] {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    },
  }

  function free(of: string) {
    const left = (taken.get(of) ?? 1) - 1
    if (left > 0) taken.set(of, left)
    else taken.delete(of)
  }
}
