import type { Observation } from './observation.ts'
import type { Cause } from './incident.ts'
import { evaluateReading, type AlertState, dueNotification } from './evaluate.ts'
import type { Moment, SubjectState } from './engine-state.ts'
import { quietUntil } from './quiet-hours.ts'
import { resolutionSummary } from './incident-summary.ts'

/** What is to be written of one thing that an alert looks at, and how it stands then. */
export type IncidentStep = { key: string; before: SubjectState; standing: AlertState | undefined } & (
  | { change: 'pending'; about: Observation }
  | { change: 'dropped' }
  | { change: 'firing'; about: Observation; told: boolean; cause?: Cause }
  | { change: 'resolved'; why: string; told: boolean; replaced?: true }
  | { change: 'started' | 'reminded'; about: Observation | undefined }
)

/** What was seen of something, as far as it changes something that is written; otherwise it is only remembered. */
export function nextStep(
  key: string,
  before: SubjectState,
  about: Observation,
  moment: Moment,
): IncidentStep | undefined {
  const { alert, reading } = about
  const replaced = before.standing?.state === 'firing' && isAnother(before, about)
  // Two that failed are two incidents, and nothing went well between them.
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
    longestGapOf(alert),
  )
  before.about = about
  if (change === undefined) {
    before.standing = standing
    return undefined
  }
  const step = { key, before, standing }
  if (change === 'pending') return { ...step, change, about }
  if (change === 'dropped') return { ...step, change }
  if (change === 'firing')
    return { ...step, change, about, told: notificationDue(before, about, moment) === 'started' }
  return { ...step, change, why: resolutionSummary(about), told: wasTold(before) }
}

const isAnother = ({ incident }: SubjectState, { reading }: Observation) =>
  reading.value === true &&
  reading.deployment_id !== undefined &&
  reading.deployment_id !== incident?.deployment_id

/** What is asked for seldom is seen seldom; how a server is, in every look while anybody tries to reach it. */
const longestGapOf = ({ kind, asked }: Observation['alert']) =>
  (kind === 'server_unreachable' ? 15 : Math.max(60, (asked?.every_seconds ?? 0) * 2)) * 1_000

const wasTold = ({ incident }: SubjectState) => (incident?.tellings ?? 0) > 0

/** What is to be said now of something that fires, if anything is. */
export function notificationDue(
  { incident, told }: Pick<SubjectState, 'incident' | 'told'>,
  { alert }: Pick<Observation, 'alert'>,
  { now, at }: Moment,
) {
  const muted = incident?.muted_until && incident.muted_until > now
  const quiet = Boolean(muted) || quietUntil(alert, now) !== null
  const since = told.at === undefined ? undefined : at - told.at
  return dueNotification(alert, { tellings: incident?.tellings ?? 0, since }, quiet)
}

/** It ended because there is another, which is still to be told of. */
export const isReplaced = (step: IncidentStep) => step.change === 'resolved' && step.replaced === true

/** What is no longer looked at is over; whoever was told that it began is told that as well. */
export const resolveStep = (key: string, before: SubjectState, why: string): IncidentStep =>
  before.incident?.state === 'pending'
    ? { key, before, standing: undefined, change: 'dropped' }
    : { key, before, standing: undefined, change: 'resolved', why, told: wasTold(before) }
