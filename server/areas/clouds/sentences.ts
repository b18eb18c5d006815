import { inWords } from '../../../contract/shared/seconds.ts'
import type { Config } from '../../config.ts'
import { costOf, providerName } from '../servers/cloud.ts'
import type { CloudServerRow } from './store.ts'

/** Why it was not made, and what there is of it at the cloud all the same. */
export function inTheEnd(cloud: CloudServerRow, why: string): string {
  if (cloud.cloud_id === null)
    return `${why} ${cloud.asked_at === null ? nothing : unsure(cloud)} Try again once that is put right, or delete it.`
  return `${why} Try again once that is put right, or delete it: ${costs(cloud)}.`
}

const nothing = 'Nothing was made, so nothing is charged.'

/** The last that was asked of the cloud may have been done. */
const unsure = (cloud: CloudServerRow) =>
  `Whether ${providerName(cloud)} made it is not known yet, and it would cost; Slipway looks for it there.`

/** Why it was not made, once it is certain that it was not. */
export const sureOf = (cloud: CloudServerRow, reason: string | null) =>
  reason?.replace(unsure(cloud), nothing) ?? null

/** The cloud said no to what was asked for. */
export const refusedThere = (why: string) =>
  `${why} ${nothing} Try again, with something else if need be, or delete it.`

const costs = (cloud: CloudServerRow) => {
  const cost = costOf(cloud)
  return cost === undefined ? 'it costs while it exists' : `it costs ${cost} while it exists`
}

/** Whole minutes read better than 900 seconds, and fractions do not read at all. */
const within = ({ CLOUD_TIMEOUT }: Pick<Config, 'CLOUD_TIMEOUT'>) => inWords(Math.ceil(CLOUD_TIMEOUT))

export function notStarted(config: Config, cloud: CloudServerRow): string {
  const name = providerName(cloud)
  const how = cloud.status === 'stopped' ? 'it is switched off there' : 'it did not start'
  return `${name} has made it, but ${how} within ${within(config)}. Look at it in the console of ${name}. Try again to wait for it once more, or delete it: ${costs(cloud)}.`
}

/** `heard` is what came of a call of its, where it did call. */
export function notCalled(config: Config, cloud: CloudServerRow, heard: string | null): string {
  const why =
    heard === null
      ? `did not call Slipway at ${config.PUBLIC_URL} within ${within(config)}: see whether it reaches that address, and /var/log/cloud-init-output.log on it`
      : `was not let in within ${within(config)}. ${heard.replace(/\.$/, '')}`
  return `It runs at ${cloud.address}, but ${why}. Try again, connect to it by SSH with its key, or delete it: ${costs(cloud)}.`
}

export const goneThere = (cloud: CloudServerRow) =>
  `It is gone at ${providerName(cloud)}: it was deleted there before it had called Slipway, so nothing is charged for it any more. Try again to have it made anew, or delete it.`
