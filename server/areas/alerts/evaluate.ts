import type { Cause } from './incident.ts'
import type { Moment, SubjectState } from './engine-state.ts'
import { quietUntil } from './maintenance-windows.ts'
import { resolutionSummary } from './incident-summary.ts'
import type { AlertRow, Observation } from './observer.ts'

export type Rule = Pick<
  AlertRow,
  'comparison' | 'threshold' | 'clear_threshold' | 'for_seconds' | 'clear_seconds'
>

/**
 * Holds the state of a subject that is pending or firing; a healthy subject has none. Times are monotonic milliseconds.
 */
export interface AlertState {
  state: 'pending' | 'firing'
  at: number
  /**
   * Milliseconds: while pending, how long the condition has been met; while firing, how long it has been cleared, if it
   * is.
   */
  lasted: number | undefined
}

export type StateChange = 'pending' | 'dropped' | 'firing' | 'resolved'

interface Evaluation {
  standing: AlertState | undefined
  change?: StateChange
}

/** Limits the time that counts between two readings, because the state in between is unknown. */
const MAX_GAP = 60_000

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
  // The cleared time starts at the first good reading, because nothing earlier was observed.
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

/** A start that was muted is notified when the mute ends, if the incident still fires. */
export function dueNotification(
  { cooldown_seconds, repeat_seconds }: Pick<AlertRow, 'cooldown_seconds' | 'repeat_seconds'>,
  { notificationCount, since }: { notificationCount: number; since: number | undefined },
  quiet: boolean,
): 'started' | 'reminded' | undefined {
  if (quiet) return undefined
  const past = (seconds: number) => since === undefined || since >= seconds * 1_000
  if (notificationCount === 0) return past(cooldown_seconds) ? 'started' : undefined
  return repeat_seconds !== null && past(repeat_seconds) ? 'reminded' : undefined
}

export type IncidentStep = { key: string; before: SubjectState; standing: AlertState | undefined } & (
  | { change: 'pending'; observation: Observation }
  | { change: 'dropped' }
  | { change: 'firing'; observation: Observation; notify: boolean; cause?: Cause }
  | { change: 'resolved'; reason: string; notify: boolean; replaced?: true }
  | { change: 'started' | 'reminded'; observation: Observation | undefined }
)

/** The state machine of an incident: pending, firing, resolved, and its reminders. */
export function nextStep(
  key: string,
  before: SubjectState,
  observation: Observation,
  moment: Moment,
): IncidentStep | undefined {
  const { alert, reading } = observation
  // Two failed deployments are two incidents, even without a success in between.
  if (before.standing?.state === 'firing' && isAnotherDeployment(before, observation)) {
    const reason = 'A later deployment failed as well.'
    return { key, before, standing: undefined, change: 'resolved', reason, notify: false, replaced: true }
  }
  const { standing, change } = evaluateReading(
    alert,
    before.standing,
    reading.is_met ?? reading.value,
    moment.at,
    maxGap(alert),
  )
  before.observation = observation
  if (change === undefined) {
    before.standing = standing
    return undefined
  }
  const step = { key, before, standing }
  if (change === 'pending') return { ...step, change, observation }
  if (change === 'dropped') return { ...step, change }
  if (change === 'firing')
    return { ...step, change, observation, notify: notificationDue(before, alert, moment) === 'started' }
  return { ...step, change, reason: resolutionSummary(observation), notify: wasNotified(before) }
}

const isAnotherDeployment = ({ incident }: SubjectState, { reading }: Observation) =>
  reading.value === true &&
  reading.deployment_id !== undefined &&
  reading.deployment_id !== incident?.deployment_id

/** Allows twice the interval of a check; servers are observed in every pass while a worker watches them. */
const maxGap = ({ kind, http_check }: AlertRow) =>
  (kind === 'server_unreachable' ? 15 : Math.max(60, (http_check?.every_seconds ?? 0) * 2)) * 1_000

const wasNotified = ({ incident }: SubjectState) => (incident?.notification_count ?? 0) > 0

export function notificationDue(
  { incident, lastNotified }: Pick<SubjectState, 'incident' | 'lastNotified'>,
  alert: AlertRow,
  { now, at }: Moment,
) {
  const muted = incident?.muted_until && incident.muted_until > now
  const quiet = Boolean(muted) || quietUntil(alert, now) !== null
  const since = lastNotified.at === undefined ? undefined : at - lastNotified.at
  return dueNotification(alert, { notificationCount: incident?.notification_count ?? 0, since }, quiet)
}

export const wasReplaced = (step: IncidentStep) => step.change === 'resolved' && step.replaced === true

export const resolveStep = (key: string, before: SubjectState, reason: string): IncidentStep =>
  before.incident?.state === 'pending'
    ? { key, before, standing: undefined, change: 'dropped' }
    : { key, before, standing: undefined, change: 'resolved', reason, notify: wasNotified(before) }
