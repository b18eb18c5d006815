import type { Config } from '../../../config.ts'
import { conflict, type Problem } from '../../../errors.ts'

type Hosts = Pick<Config, 'PUBLIC_URL' | 'WILDCARD_DOMAIN'>

/** The host of PUBLIC_URL serves the console: an application there would get the console's sessions. */
export const consoleHost = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) =>
  new URL(PUBLIC_URL).hostname.replace(/\.$/, '')

/** Names that no application can have. The base of WILDCARD_DOMAIN could set cookies for every application below it. */
export const reservedHosts = (config: Hosts): string[] => [
  consoleHost(config),
  ...(config.WILDCARD_DOMAIN ? [config.WILDCARD_DOMAIN] : []),
]

export const isReservedHost = (config: Hosts, host: string) => reservedHosts(config).includes(host)

/** Names below WILDCARD_DOMAIN are assigned by Slipway: their DNS leads to the operator's servers and proves nothing. */
export const isBelowWildcard = ({ WILDCARD_DOMAIN }: Pick<Config, 'WILDCARD_DOMAIN'>, host: string) =>
  WILDCARD_DOMAIN !== undefined && host.endsWith(`.${WILDCARD_DOMAIN}`)

/** The beginning of a sentence. */
export const whyReserved = (config: Hosts, host: string) =>
  host === consoleHost(config)
    ? `${host} is the address of this Slipway's console`
    : `${host} is the domain below which this Slipway assigns addresses`

/** Why no workspace, or only another application, can have a name that it does not hold yet. `generated` is the application's own. */
export function findReservation(
  config: Hosts,
  host: string,
  generated: string | undefined,
): Problem | undefined {
  if (isReservedHost(config, host))
    return conflict('host_reserved', `The domain ${whyReserved(config, host)}. Choose another name.`)
  if (!isBelowWildcard(config, host) || host === generated) return undefined
  const todo = generated ? `Use ${generated}, or a name of your own.` : 'Use a name of your own.'
  return conflict(
    'host_reserved',
    `The domain ${host} cannot be chosen: this Slipway assigns the names below ${config.WILDCARD_DOMAIN}. ${todo}`,
  )
}
