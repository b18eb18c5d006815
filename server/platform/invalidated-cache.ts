import { LRUCache } from 'lru-cache'
import type { Bus } from './bus.ts'

const longest = 10_000

/**
 * Caches lookups for seconds. A notification on the channel clears the cache; without a connection to the bus nothing is
 * cached.
 */
export class InvalidatedCache<T> {
  private readonly entries = new LRUCache<string, { value: T }>({ max: 10_000 })
  private readonly bus: Bus
  private changes = 0

  constructor(bus: Bus, channel: string) {
    this.bus = bus
    bus.on(channel, () => this.clear())
    bus.onReconnect(() => this.clear())
  }

  /** `until` is when the value expires. */
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
