import type { About } from './about.ts'
import type { Cause } from './incident.ts'
import { judge, type Standing, tellingOf } from './judge.ts'
import type { Moment, Remembered } from './memory.ts'
import { quietUntil } from './quiet.ts'
import { overSentenceOf } from './sentence.ts'

/** What is to be written of one thing that an alert looks at, and how it stands then. */
export type Step = { key: string; before: Remembered; standing: Standing | undefined } & (
  | { change: 'pending'; about: About }
  | { change: 'dropped' }
  | { change: 'firing'; about: About; told: boolean; cause?: Cause }
  | { change: 'resolved'; why: string; told: boolean; replaced?: true }
  | { change: 'started' | 'reminded'; about: About | undefined }
)

/** What was seen of something, as far as it changes something that is written; otherwise it is only remembered. */
export function stepOf(key: string, before: Remembered, about: About, moment: Moment): Step | undefined {
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
  const { standing, change } = judge(alert, before.standing, reading.value, moment.at, longestGapOf(alert))
  before.about = about
  if (change === undefined) {
    before.standing = standing
    return undefined
  }
  const step = { key, before, standing }
  if (change === 'pending') return { ...step, change, about }
  if (change === 'dropped') return { ...step, change }
  if (change === 'firing')
    return { ...step, change, about, told: isToBeTold(before, about, moment) === 'started' }
  return { ...step, change, why: overSentenceOf(about), told: wasTold(before) }
}

const isAnother = ({ incident }: Remembered, { reading }: About) =>
  reading.value === true &&
  reading.deployment_id !== undefined &&
  reading.deployment_id !== incident?.deployment_id

/** What is asked for seldom is seen seldom; how a server is, in every look while anybody tries to reach it. */
const longestGapOf = ({ kind, asked }: About['alert']) =>
  (kind === 'server_unreachable' ? 15 : Math.max(60, (asked?.every_seconds ?? 0) * 2)) * 1_000

const wasTold = ({ incident }: Remembered) => (incident?.tellings ?? 0) > 0

/** What is to be said now of something that fires, if anything is. */
export function isToBeTold(
  { incident, told }: Pick<Remembered, 'incident' | 'told'>,
  { alert }: Pick<About, 'alert'>,
  { now, at }: Moment,
) {
  const muted = incident?.muted_until && incident.muted_until > now
  const quiet = Boolean(muted) || quietUntil(alert, now) !== null
  const since = told.at === undefined ? undefined : at - told.at
  return tellingOf(alert, { tellings: incident?.tellings ?? 0, since }, quiet)
}

/** It ended because there is another, which is still to be told of. */
export const isReplaced = (step: Step) => step.change === 'resolved' && step.replaced === true

/** What is no longer looked at is over; whoever was told that it began is told that as well. */
export const endOf = (key: string, before: Remembered, why: string): Step =>
  before.incident?.state === 'pending'
    ? { key, before, standing: undefined, change: 'dropped' }
    : { key, before, standing: undefined, change: 'resolved', why, told: wasTold(before) }
