import type { ExitStatus } from './host.ts'

/** Lifetime of a host without a connection: closing it ends what was started. */
export interface Lifetime {
  /** Throws after the end. */
  check(): void
  /** Rejects `ended` and calls `letGo` when the lifetime ends. */
  bind<T extends { ended: Promise<ExitStatus> }>(one: T, letGo: () => void): T
  /** Called once at the end; soon, if it has ended already. */
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
