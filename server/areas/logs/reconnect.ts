import { setTimeout as sleep } from 'node:timers/promises'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

/** Milliseconds to wait for an unreachable server. */
const maxWait = 300_000
const longestPause = 2_000

/** Backoff and time limit for reconnecting. */
export class Reconnect {
  private tries = 0
  private awaySince: number | undefined

  /** The server responded, even if with an error. */
  answered(): void {
    this.awaySince = undefined
  }

  /** The stream continues, so the time limit starts again. */
  renew(): void {
    this.answered()
    this.tries = 0
  }

  get isOver(): boolean {
    return this.awaySince !== undefined && Date.now() - this.awaySince > maxWait
  }

  async pause(signal: AbortSignal): Promise<void> {
    this.awaySince ??= Date.now()
    await sleep(exponentialBackoff(this.tries++, 100, longestPause), undefined, { signal })
  }
}
