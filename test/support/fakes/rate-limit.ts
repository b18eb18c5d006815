const now = () => Math.ceil(Date.now() / 1000)

/** So many requests an hour; `reset` is when the next hour begins, in Unix seconds. */
export function startRateLimit(limit: number) {
  const rate = { limit, remaining: limit, reset: now() + 3600, retryAfter: undefined as number | undefined }
  const lift = () =>
    void Object.assign(rate, { remaining: limit, retryAfter: undefined, reset: now() + 3600 })
  return {
    rate,
    /** Counts one request; false if it exceeds the limit. */
    count(): boolean {
      if (rate.reset <= now()) lift()
      if (rate.remaining <= 0) return false
      rate.remaining--
      return true
    },
    /** Allows so many more requests until the reset; `retryAfter` is sent as the header of that name. */
    restrict: (given: { remaining?: number; seconds?: number; retryAfter?: number } = {}) => {
      const { remaining = 0, seconds = 3600, retryAfter } = given
      Object.assign(rate, { remaining, retryAfter, reset: now() + seconds })
    },
    lift,
    /** The limit as headers, each with this prefix. */
    headers: (prefix: string): Record<string, string> => ({
      [`${prefix}-limit`]: String(rate.limit),
      [`${prefix}-remaining`]: String(rate.remaining),
      [`${prefix}-reset`]: String(rate.reset),
    }),
    retryHeader: (): Record<string, string> =>
      rate.retryAfter === undefined ? {} : { 'retry-after': String(rate.retryAfter) },
  }
}
