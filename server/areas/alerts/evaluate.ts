import type { AlertRow } from './observation.ts'

export type Rule = Pick<
  AlertRow,
  'comparison' | 'threshold' | 'clear_threshold' | 'for_seconds' | 'clear_seconds'
>

/** State of a condition that is not healthy. Times are monotonic milliseconds. */
export interface AlertState {
  state: 'pending' | 'firing'
  /** Time of the last evaluation. */
  at: number
  /** Milliseconds. While pending: how long the condition was met. While firing: how long it was cleared, if it is. */
  lasted: number | undefined
}

/** `dropped`: the condition cleared before it lasted long enough to fire. */
export type StateChange = 'pending' | 'dropped' | 'firing' | 'resolved'

interface Evaluation {
  /** Undefined when healthy. */
  standing: AlertState | undefined
  change?: StateChange
}

/** Limits what counts between two readings, because the state in between is unknown. */
const MAX_GAP = 60_000

/** Compares numbers with the threshold; `true` meets the condition. */
export function evaluateReading(
  rule: Rule,
  before: AlertState | undefined,
  reading: number | boolean,
  at: number,
  longestGap = MAX_GAP,
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
  // Counts from the first good reading, because nothing earlier was observed.
  const clearedFor = lasted === undefined ? 0 : lasted + gap
  if (clearedFor >= rule.clear_seconds * 1_000) return { standing: undefined, change: 'resolved' }
  return { standing: { state: 'firing', at, lasted: clearedFor } }
}

export function isConditionMet({ comparison, threshold }: Rule, reading: number | boolean): boolean {
  if (typeof reading === 'boolean') return reading
  if (threshold === null) return false
  return comparison === 'below' ? reading < threshold : reading > threshold
}

/** Uses the clear threshold, where there is one, to prevent flapping. */
function isClear(rule: Rule, reading: number | boolean): boolean {
  if (isConditionMet(rule, reading)) return false
  const { comparison, clear_threshold: clear } = rule
  if (typeof reading === 'boolean' || clear === null) return true
  return comparison === 'below' ? reading >= clear : reading <= clear
}

interface NotificationState {
  /** Notifications sent for this incident. */
  tellings: number
  /** Milliseconds since the last notification about the same subject, in this incident or an earlier one. */
  since: number | undefined
}

/**
 * Returns the notification that is due. A notification that was muted is sent when the mute ends, if the incident
 * still fires.
 */
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
