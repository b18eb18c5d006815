/** Bytes since it started, by interface. */
export type InterfaceCounters = Map<string, { in: number; out: number }>

/** Interface by interface: one that came brings its whole past along, one that was reset begins at nothing. */
export function counterIncrease(
  before: InterfaceCounters,
  now: InterfaceCounters,
  way: 'in' | 'out',
): number {
  let bytes = 0
  for (const [name, counters] of now) {
    const known = before.get(name)
    if (known) bytes += Math.max(0, counters[way] - known[way])
  }
  return bytes
}

/** No more than the database holds. */
export const ratePerSecond = (bytes: number, seconds: number) =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes / seconds))
