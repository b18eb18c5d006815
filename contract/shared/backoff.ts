/** Doubles the delay `first` with each failure, up to `max`. With `jitter` (0 to 1) up to half of the delay is taken off. */
export const exponentialBackoff = (failures: number, first: number, max: number, jitter = 1): number =>
  Math.min(first * 2 ** failures, max) * (0.5 + jitter / 2)
