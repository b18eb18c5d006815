import type { ExitStatus } from './host.ts'

/** Lifetime of a host without a connection: closing it ends what was started. */
export interface Lifetime {
  /** Throws after the end. */
  check(): void
  /** Rejects `ended` and calls `letGo` when the lifetime ends. */
  bind<T extends { ended: Promise<ExitStatus> }>(one: T, letGo: () => void): T
  /** Called once at the end; soon, if it has ended already. */
  onEnd(handler: (reason: Error) => void): () => void
  end(reason: Error): void
}

export function createLifetime(): Lifetime {
  const handlers = new Set<(reason: Error) => void>()
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
        const lose = (reason: Error) => {
          reject(reason)
          letGo()
        }
        handlers.add(lose)
        one.ended.then(resolve, reject).finally(() => handlers.delete(lose))
      })
      ended.catch(() => {})
      return { ...one, ended }
    },
    onEnd(handler) {
      const reason = over
      if (reason) queueMicrotask(() => handler(reason))
      else handlers.add(handler)
      return () => handlers.delete(handler)
    },
    end(reason) {
      over = reason
      for (const handler of handlers) handler(reason)
      handlers.clear()
    },
  }
}
