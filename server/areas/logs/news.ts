import type { Hub } from './hub.ts'

/** Waits for something new of a hub. Many pieces of news are one. */
export class News {
  private readonly signal: AbortSignal
  private readonly deaf: () => void
  private told = false
  private wake: (() => void) | undefined

  constructor(hub: Hub, signal: AbortSignal) {
    this.signal = signal
    const tell = () => {
      this.told = true
      this.wake?.()
    }
    const stop = hub.listen(tell)
    signal.addEventListener('abort', tell)
    this.deaf = () => {
      stop()
      signal.removeEventListener('abort', tell)
    }
  }

  /** Resolves when there may be something new, or at the latest after so many milliseconds. */
  async next(atMost = 60_000): Promise<void> {
    if (!this.told && !this.signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(atMost, 0))
        this.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.wake = undefined
    this.told = false
  }

  stop(): void {
    this.deaf()
  }
}
