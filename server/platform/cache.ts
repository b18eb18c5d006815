import { LRUCache } from 'lru-cache'
import type { Bus } from './bus.ts'

export class StaleCache<T> {
  private readonly kept = new Map<string, { value: T; at: number; size: number }>()
  private readonly underWay = new Map<string, Promise<T>>()
  private readonly freshFor: number
  private readonly most: number
  private readonly sizeOf: (value: T) => number
  private size = 0

  /** `freshFor` is in milliseconds; `most` limits the entries, or their total size by `sizeOf`. */
  constructor(freshFor: number, most = 500, sizeOf: (value: T) => number = () => 1) {
    this.freshFor = freshFor
    this.most = most
    this.sizeOf = sizeOf
  }

  async get(
    key: string,
    ask: () => Promise<T>,
    isAway: (error: unknown) => boolean,
  ): Promise<{ value: T; staleSince: Date | null }> {
    const known = this.kept.get(key)
    if (known && Date.now() - known.at < this.freshFor) return { value: known.value, staleSince: null }
    try {
      return { value: await this.askOnce(key, ask), staleSince: null }
    } catch (error) {
      if (!known || !isAway(error)) throw error
      return { value: known.value, staleSince: new Date(known.at) }
    }
  }

  invalidate(key: string, value: T) {
    if (this.kept.get(key)?.value === value) this.drop(key)
  }

  private askOnce(key: string, ask: () => Promise<T>): Promise<T> {
    const other = this.underWay.get(key)
    if (other) return other
    const asked = ask()
      .then((value) => {
        this.keep(key, value)
        return value
      })
      .finally(() => this.underWay.delete(key))
    this.underWay.set(key, asked)
    return asked
  }

  private keep(key: string, value: T) {
    this.drop(key)
    const size = this.sizeOf(value)
    for (const oldest of this.kept.keys()) {
      if (this.size + size <= this.most) break
      this.drop(oldest)
    }
    this.kept.set(key, { value, at: Date.now(), size })
    this.size += size
  }

  private drop(key: string) {
    this.size -= this.kept.get(key)?.size ?? 0
    this.kept.delete(key)
  }
}

const longest = 10_000

/** A notification on the channel clears the cache; without a connection to the bus nothing is cached. */
export class InvalidatedCache<T> {
  private readonly entries = new LRUCache<string, { value: T }>({ max: 10_000 })
  private readonly bus: Bus
  private changes = 0

  constructor(bus: Bus, channel: string) {
    this.bus = bus
    bus.on(channel, () => this.clear())
    bus.onReconnect(() => this.clear())
  }

  async get(key: string, look: () => Promise<{ value: T; until: number }>): Promise<T> {
    if (!this.bus.connected()) this.clear()
    const known = this.entries.get(key)
    if (known) return known.value
    const before = this.changes
    const { value, until } = await look()
    // A value that was read during a change may be stale.
    if (before === this.changes && this.bus.connected()) this.keep(key, value, until)
    return value
  }

  clear(): void {
    this.changes++
    this.entries.clear()
  }

  private keep(key: string, value: T, until: number) {
    const ttl = Math.min(Math.floor(until - Date.now()), longest)
    if (ttl > 0) this.entries.set(key, { value }, { ttl })
  }
}
