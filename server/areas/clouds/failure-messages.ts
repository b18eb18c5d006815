import { formatSeconds } from '../../../contract/shared/seconds.ts'
import type { Config } from '../../config.ts'
import { formatMonthlyCost, providerName } from '../servers/present-cloud.ts'
import type { CloudServerRow } from './store.ts'

export function creationFailedMessage(cloud: CloudServerRow, reason: string): string {
  if (cloud.cloud_id === null)
    return `${reason} ${cloud.asked_at === null ? nothing : unsure(cloud)} Fix the problem and retry, or delete the server.`
  return `${reason} Fix the problem and retry, or delete the server. ${costs(cloud)}`
}

const nothing = 'No server was created, so nothing is billed.'

/** Says that the last create request may have succeeded. */
const unsure = (cloud: CloudServerRow) =>
  `Slipway is checking whether ${providerName(cloud)} created the server and bills it.`

export const confirmNotCreated = (cloud: CloudServerRow, reason: string | null) =>
  reason?.replace(unsure(cloud), nothing) ?? null

export const rejectedMessage = (why: string) =>
  `${why} ${nothing} Retry, with another configuration if necessary, or delete the server.`

const costs = (cloud: CloudServerRow) => {
  const cost = formatMonthlyCost(cloud)
  return cost === undefined ? 'It is billed until it is deleted.' : `It costs ${cost} until it is deleted.`
}

const within = ({ CLOUD_TIMEOUT }: Pick<Config, 'CLOUD_TIMEOUT'>) => formatSeconds(Math.ceil(CLOUD_TIMEOUT))

export function notStartedMessage(config: Config, cloud: CloudServerRow): string {
  const name = providerName(cloud)
  const how = cloud.status === 'stopped' ? 'it is powered off' : 'it did not start'
  return `${name} created the server, but ${how} within ${within(config)}. Check it in the ${name} console. Retry to wait again, or delete the server. ${costs(cloud)}`
}

/** `heard` is the result of a report from the server, if there was one. */
export function notConnectedMessage(config: Config, cloud: CloudServerRow, heard: string | null): string {
  const reason =
    heard === null
      ? `did not connect to Slipway at ${config.PUBLIC_URL} within ${within(config)}. Check that the server can reach that address, and see /var/log/cloud-init-output.log on the server`
      : `could not be added within ${within(config)}. ${heard.replace(/\.$/, '')}`
  return `The server is running at ${cloud.address}, but ${reason}. Retry, connect over SSH, or delete the server. ${costs(cloud)}`
}

export const deletedAtProviderMessage = (cloud: CloudServerRow) =>
  `The server was deleted at ${providerName(cloud)} before it connected to Slipway, so it is no longer billed. Retry to create it again, or delete it here as well.`
