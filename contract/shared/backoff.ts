/**
 * Returns the delay before a retry: `first`, doubled with each failure, up to `max`. `jitter` (0 to 1) shortens the
 * delay by up to half.
 */
export const exponentialBackoff = (failures: number, first: number, max: number, jitter = 1): number =>
  Math.min(first * 2 ** failures, max) * (0.5 + jitter / 2)
