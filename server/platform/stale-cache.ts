/** Caches expensive results and returns stale ones while the source is unavailable. Evicts the oldest entries. */
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

  /**
   * Returns a fresh value from the cache and shares concurrent loads. When loading fails because the source is unavailable,
   * returns the stale value with the time since which it is stale.
   */
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

  /** Removes this value; a newer one stays. */
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
