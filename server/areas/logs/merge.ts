interface Waiting<T> {
  value: T
  taken: () => void
}

/** What comes first goes first. Each stream is asked for more once what it had was taken. */
export async function* merge<T>(streams: readonly AsyncGenerator<T>[], stop: () => void): AsyncGenerator<T> {
  const ready: Waiting<T>[] = []
  const failures: unknown[] = []
  let open = streams.length
  let wake = () => undefined as void

  async function pump(stream: AsyncGenerator<T>) {
    try {
      for await (const value of stream)
        await new Promise<void>((taken) => {
          ready.push({ value, taken })
          wake()
        })
    } catch (error) {
      failures.push(error)
    } finally {
      open -= 1
      wake()
    }
  }

  for (const stream of streams) void pump(stream)
  try {
    while (true) {
      const next = ready.shift()
      if (next) {
        yield next.value
        next.taken()
        continue
      }
      if (failures.length > 0) throw failures[0]
      if (open === 0) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    stop()
    await Promise.allSettled(streams.map((stream) => stream.return(undefined)))
  }
}
