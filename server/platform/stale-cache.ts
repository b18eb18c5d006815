/** A cache of answers that are costly to get, from another service or a worker thread. The oldest make room for new ones. */
export class StaleCache<T> {
  private readonly kept = new Map<string, { value: T; at: number; size: number }>()
  private readonly underWay = new Map<string, Promise<T>>()
  private readonly freshFor: number
  private readonly most: number
  private readonly sizeOf: (value: T) => number
  private size = 0

  /** Fresh for so many milliseconds; so many are kept, or as many as have that size together. */
  constructor(freshFor: number, most = 500, sizeOf: (value: T) => number = () => 1) {
    this.freshFor = freshFor
    this.most = most
    this.sizeOf = sizeOf
  }

  /**
   * What is fresh is not asked for again, and what many ask for at once is asked for once. Where it cannot be had now, what was
   * there before does instead, and since when it is out of date is said.
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

  /** This one does not hold any more; a newer one may. */
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
