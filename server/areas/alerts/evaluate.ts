import type { AlertRow } from './observation.ts'

export type Rule = Pick<
  AlertRow,
  'comparison' | 'threshold' | 'clear_threshold' | 'for_seconds' | 'clear_seconds'
>

/** How something stands that is not well. Times are milliseconds of a clock that only goes forward. */
export interface AlertState {
  state: 'pending' | 'firing'
  /** When it was last judged. */
  at: number
  /** While it is pending, for how long it has been bad. While it fires, for how long it has been well, if it is. */
  lasted: number | undefined
}

/** `dropped`: it was bad, but not for long enough to count. */
export type StateChange = 'pending' | 'dropped' | 'firing' | 'resolved'

interface Evaluation {
  /** Undefined when it is well. */
  standing: AlertState | undefined
  change?: StateChange
}

/** Between two readings no more than this counts: what nobody has seen may have been otherwise. */
const LONGEST_GAP = 60_000

/** What a new reading makes of how something stood. A number is held against the threshold; `true` is bad. */
export function evaluateReading(
  rule: Rule,
  before: AlertState | undefined,
  reading: number | boolean,
  at: number,
  longestGap = LONGEST_GAP,
): Evaluation {
  const gap = before ? Math.min(Math.max(at - before.at, 0), longestGap) : 0
  if (before?.state === 'firing') return evaluateFiring(rule, before, reading, { at, gap })
  if (!isConditionMet(rule, reading))
    return before ? { standing: undefined, change: 'dropped' } : { standing: undefined }
  const lasted = before?.lasted === undefined ? 0 : before.lasted + gap
  if (lasted >= rule.for_seconds * 1_000)
    return { standing: { state: 'firing', at, lasted: undefined }, change: 'firing' }
  const standing: AlertState = { state: 'pending', at, lasted }
  return before ? { standing } : { standing, change: 'pending' }
}

function evaluateFiring(
  rule: Rule,
  { lasted }: AlertState,
  reading: number | boolean,
  { at, gap }: { at: number; gap: number },
): Evaluation {
  if (!isClear(rule, reading)) return { standing: { state: 'firing', at, lasted: undefined } }
  // It counts from the first reading that is well: how long before that it was so, nobody has seen.
  const well = lasted === undefined ? 0 : lasted + gap
  if (well >= rule.clear_seconds * 1_000) return { standing: undefined, change: 'resolved' }
  return { standing: { state: 'firing', at, lasted: well } }
}

export function isConditionMet({ comparison, threshold }: Rule, reading: number | boolean): boolean {
  if (typeof reading === 'boolean') return reading
  if (threshold === null) return false
  return comparison === 'below' ? reading < threshold : reading > threshold
}

/** Not bad, and where there is a threshold of its own for that, beyond it as well. */
function isClear(rule: Rule, reading: number | boolean): boolean {
  if (isConditionMet(rule, reading)) return false
  const { comparison, clear_threshold: clear } = rule
  if (typeof reading === 'boolean' || clear === null) return true
  return comparison === 'below' ? reading >= clear : reading <= clear
}

/** What was told of something that fires, and of it before. */
interface NotificationState {
  /** Of this incident. */
  tellings: number
  /** Milliseconds since somebody was last told of the same, in this incident or an earlier one. */
  since: number | undefined
}

/** What there is to tell now of something that fires. What was kept quiet is told when that ends, if it still fires. */
export function dueNotification(
  { cooldown_seconds, repeat_seconds }: Pick<AlertRow, 'cooldown_seconds' | 'repeat_seconds'>,
  { tellings, since }: NotificationState,
  quiet: boolean,
): 'started' | 'reminded' | undefined {
  if (quiet) return undefined
  const past = (seconds: number) => since === undefined || since >= seconds * 1_000
  if (tellings === 0) return past(cooldown_seconds) ? 'started' : undefined
  return repeat_seconds !== null && past(repeat_seconds) ? 'reminded' : undefined
}
