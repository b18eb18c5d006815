import type { Config } from '../../../config.ts'
import { conflict, type Problem } from '../../../errors.ts'

type Hosts = Pick<Config, 'PUBLIC_URL' | 'WILDCARD_DOMAIN'>

/** An application on the host of PUBLIC_URL would receive the sessions of the console. */
export const consoleHost = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) =>
  new URL(PUBLIC_URL).hostname.replace(/\.$/, '')

/** The base of WILDCARD_DOMAIN could set cookies for every application below it. */
export const reservedHosts = (config: Hosts): string[] => [
  consoleHost(config),
  ...(config.WILDCARD_DOMAIN ? [config.WILDCARD_DOMAIN] : []),
]

export const isReservedHost = (config: Hosts, host: string) => reservedHosts(config).includes(host)

/** Slipway assigns names below WILDCARD_DOMAIN. Their DNS points to the operator’s servers, so it proves nothing. */
export const isBelowWildcard = ({ WILDCARD_DOMAIN }: Pick<Config, 'WILDCARD_DOMAIN'>, host: string) =>
  WILDCARD_DOMAIN !== undefined && host.endsWith(`.${WILDCARD_DOMAIN}`)

export const reservedHostReason = (config: Hosts, host: string) =>
  host === consoleHost(config)
    ? `${host} is the host name of this instance`
    : `${host} is reserved for the generated URLs of this instance`

export function findReservation(
  config: Hosts,
  host: string,
  generated: string | undefined,
): Problem | undefined {
  if (isReservedHost(config, host))
    return conflict('host_reserved', `The domain ${reservedHostReason(config, host)}. Choose another domain.`)
  if (!isBelowWildcard(config, host) || host === generated) return undefined
  const todo = generated ? `Use ${generated}, or your own domain.` : 'Use your own domain.'
  return conflict(
    'host_reserved',
    `The domain ${host} is not available: names below ${config.WILDCARD_DOMAIN} are assigned automatically. ${todo}`,
  )
}
