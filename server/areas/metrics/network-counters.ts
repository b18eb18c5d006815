export type InterfaceCounters = Map<string, { in: number; out: number }>

/** A new interface adds nothing, and a reset one starts at zero. */
export function counterIncrease(
  before: InterfaceCounters,
  now: InterfaceCounters,
  direction: 'in' | 'out',
): number {
  let bytes = 0
  for (const [name, counters] of now) {
    const known = before.get(name)
    if (known) bytes += Math.max(0, counters[direction] - known[direction])
  }
  return bytes
}

export const ratePerSecond = (bytes: number, seconds: number) =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes / seconds))
