import type { Observation } from './observation.ts'
import type { Cause } from './incident.ts'
import { evaluateReading, type AlertState, dueNotification } from './evaluate.ts'
import type { Moment, SubjectState } from './engine-state.ts'
import { quietUntil } from './quiet-hours.ts'
import { resolutionSummary } from './incident-summary.ts'

/** A state change to write, and the state after it. */
export type IncidentStep = { key: string; before: SubjectState; standing: AlertState | undefined } & (
  | { change: 'pending'; about: Observation }
  | { change: 'dropped' }
  | { change: 'firing'; about: Observation; told: boolean; cause?: Cause }
  | { change: 'resolved'; why: string; told: boolean; replaced?: true }
  | { change: 'started' | 'reminded'; about: Observation | undefined }
)

/** Returns a step only when rows must change; otherwise updates the state in memory. */
export function nextStep(
  key: string,
  before: SubjectState,
  about: Observation,
  moment: Moment,
): IncidentStep | undefined {
  const { alert, reading } = about
  const replaced = before.standing?.state === 'firing' && isAnother(before, about)
  // Two failed deployments are two incidents, even without a success in between.
  if (replaced)
    return {
      key,
      before,
      standing: undefined,
      change: 'resolved',
      why: 'A later deployment failed, too.',
      told: false,
      replaced,
    }
  const { standing, change } = evaluateReading(
    alert,
    before.standing,
    reading.value,
    moment.at,
    maxGap(alert),
  )
  before.observation = about
  if (change === undefined) {
    before.standing = standing
    return undefined
  }
  const step = { key, before, standing }
  if (change === 'pending') return { ...step, change, about }
  if (change === 'dropped') return { ...step, change }
  if (change === 'firing')
    return { ...step, change, about, told: notificationDue(before, about, moment) === 'started' }
  return { ...step, change, why: resolutionSummary(about), told: wasNotified(before) }
}

const isAnother = ({ incident }: SubjectState, { reading }: Observation) =>
  reading.value === true &&
  reading.deployment_id !== undefined &&
  reading.deployment_id !== incident?.deployment_id

/** Allows twice the interval of a check; servers are observed in every pass while a worker watches them. */
const maxGap = ({ kind, asked }: Observation['alert']) =>
  (kind === 'server_unreachable' ? 15 : Math.max(60, (asked?.every_seconds ?? 0) * 2)) * 1_000

const wasNotified = ({ incident }: SubjectState) => (incident?.tellings ?? 0) > 0

export function notificationDue(
  { incident, lastNotified }: Pick<SubjectState, 'incident' | 'lastNotified'>,
  { alert }: Pick<Observation, 'alert'>,
  { now, at }: Moment,
) {
  const muted = incident?.muted_until && incident.muted_until > now
  const quiet = Boolean(muted) || quietUntil(alert, now) !== null
  const since = lastNotified.at === undefined ? undefined : at - lastNotified.at
  return dueNotification(alert, { tellings: incident?.tellings ?? 0, since }, quiet)
}

/** The incident was replaced by a new one, which still needs a notification. */
export const wasReplaced = (step: IncidentStep) => step.change === 'resolved' && step.replaced === true

/** Resolves with a notification if the start of the incident was notified. */
export const resolveStep = (key: string, before: SubjectState, reason: string): IncidentStep =>
  before.incident?.state === 'pending'
    ? { key, before, standing: undefined, change: 'dropped' }
    : { key, before, standing: undefined, change: 'resolved', why: reason, told: wasNotified(before) }
