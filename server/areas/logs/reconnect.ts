import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds for which a server that is out of reach is waited for. */
const longest = 300_000
const longestPause = 2_000

/** How long to wait before one tries again, and when to give up. */
export class Reconnect {
  private tries = 0
  private awaySince: number | undefined

  /** It answered, whatever it said. */
  answered(): void {
    this.awaySince = undefined
  }

  /** It goes on. */
  renew(): void {
    this.answered()
    this.tries = 0
  }

  get isOver(): boolean {
    return this.awaySince !== undefined && Date.now() - this.awaySince > longest
  }

  async pause(signal: AbortSignal): Promise<void> {
    this.awaySince ??= Date.now()
    await sleep(Math.min(100 * 2 ** this.tries++, longestPause), undefined, { signal })
  }
}
