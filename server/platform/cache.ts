import { LRUCache } from 'lru-cache'
import type { Bus } from './bus.ts'

export class StaleCache<T> {
  private readonly entries = new Map<string, { value: T; at: number; size: number }>()
  private readonly inProgress = new Map<string, Promise<T>>()
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
    load: () => Promise<T>,
    isAway: (error: unknown) => boolean,
  ): Promise<{ value: T; staleSince: Date | null }> {
    const known = this.entries.get(key)
    if (known && Date.now() - known.at < this.freshFor) return { value: known.value, staleSince: null }
    try {
      return { value: await this.loadOnce(key, load), staleSince: null }
    } catch (error) {
      if (!known || !isAway(error)) throw error
      return { value: known.value, staleSince: new Date(known.at) }
    }
  }

  invalidate(key: string, value: T) {
    if (this.entries.get(key)?.value === value) this.drop(key)
  }

  private loadOnce(key: string, load: () => Promise<T>): Promise<T> {
    const pending = this.inProgress.get(key)
    if (pending) return pending
    const loading = load()
      .then((value) => {
        this.keep(key, value)
        return value
      })
      .finally(() => this.inProgress.delete(key))
    this.inProgress.set(key, loading)
    return loading
  }

  private keep(key: string, value: T) {
    this.drop(key)
    const size = this.sizeOf(value)
    for (const oldest of this.entries.keys()) {
      if (this.size + size <= this.most) break
      this.drop(oldest)
    }
    this.entries.set(key, { value, at: Date.now(), size })
    this.size += size
  }

  private drop(key: string) {
    this.size -= this.entries.get(key)?.size ?? 0
    this.entries.delete(key)
  }
}

const longest = 10_000

/** A notification on the channel clears the cache; without a connection to the bus nothing is cached. */
export class InvalidatedCache<T> {
  private readonly entries = new LRUCache<string, { value: T }>({ max: 1_000 })
  private readonly bus: Bus
  private changes = 0

  constructor(bus: Bus, channel: string) {
    this.bus = bus
    bus.on(channel, () => this.clear())
    bus.onReconnect(() => this.clear())
  }

  async get(key: string, load: () => Promise<{ value: T; until: number }>): Promise<T> {
    if (!this.bus.connected()) this.clear()
    const known = this.entries.get(key)
    if (known) return known.value
    const before = this.changes
    const { value, until } = await load()
    // A value that was loaded while the cache was cleared may be stale, so it is not kept.
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
