import type { ExitStatus } from './host.ts'

/** Of a host without a connection: what was begun on it is lost when it is closed, and nothing more is begun. */
export interface Lifetime {
  /** Throws once it is over. */
  check(): void
  /** The same, lost and let go of when all ends. */
  bind<T extends { ended: Promise<ExitStatus> }>(one: T, letGo: () => void): T
  /** Called once when it is over; soon, if it is over already. */
  onEnd(handler: (why: Error) => void): () => void
  end(why: Error): void
}

export function createLifetime(): Lifetime {
  const handlers = new Set<(why: Error) => void>()
  let over: Error | undefined
  return {
    check() {
      if (over) throw over
    },
    bind(one, letGo) {
      if (over) {
        letGo()
        throw over
      }
      const ended = new Promise<ExitStatus>((resolve, reject) => {
        const lose = (why: Error) => {
          reject(why)
          letGo()
        }
        handlers.add(lose)
        one.ended.then(resolve, reject).finally(() => handlers.delete(lose))
      })
      ended.catch(() => {})
      return { ...one, ended }
    },
    onEnd(handler) {
      const why = over
      if (why) queueMicrotask(() => handler(why))
      else handlers.add(handler)
      return () => handlers.delete(handler)
    },
    end(why) {
      over = why
      for (const handler of handlers) handler(why)
      handlers.clear()
    },
  }
}
