import type { Bus } from './bus.ts'

const longest = 10_000
const mostEntries = 10_000

/**
 * Remembers what was looked up, for seconds. A change anywhere is told on the channel and makes it forget all; while
 * nothing can be heard, nothing is remembered.
 */
export class InvalidatedCache<T> {
  private readonly entries = new Map<string, { value: T; until: number }>()
  private readonly bus: Bus
  private changes = 0

  constructor(bus: Bus, channel: string) {
    this.bus = bus
    bus.on(channel, () => this.clear())
    bus.onReconnect(() => this.clear())
  }

  /** `until` is when the value ends by itself. */
  async get(key: string, look: () => Promise<{ value: T; until: number }>): Promise<T> {
    if (!this.bus.connected()) this.clear()
    const known = this.entries.get(key)
    if (known && known.until > Date.now()) return known.value
    const before = this.changes
    const { value, until } = await look()
    // What was read while something changed may be from before the change.
    if (before === this.changes && this.bus.connected()) this.keep(key, value, until)
    return value
  }

  clear(): void {
    this.changes++
    this.entries.clear()
  }

  private keep(key: string, value: T, until: number) {
    if (this.entries.size >= mostEntries) this.entries.clear()
    this.entries.set(key, { value, until: Math.min(until, Date.now() + longest) })
  }
}
