import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { isPublicAddress } from '../../platform/net/is-public.ts'

/** GitHub rejects webhook URLs on localhost. */
export const isLocalHost = (hostname: string) =>
  /^(?:localhost|.*\.localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(hostname)

/** Warning if webhooks cannot arrive. A GitHub Enterprise server may be in the same network. */
export function webhooksUnreachableWarning({
  PUBLIC_URL,
  GITHUB_URL,
}: Pick<Config, 'PUBLIC_URL' | 'GITHUB_URL'>) {
  const { hostname } = new URL(PUBLIC_URL)
  const address = hostname.replace(/^\[|\]$/g, '')
  const isInner =
    new URL(GITHUB_URL).hostname === 'github.com' && isIP(address) !== 0 && !isPublicAddress(address)
  if (!isLocalHost(hostname) && !isInner) return null
  return `GitHub can't reach ${PUBLIC_URL}, so push to deploy is off. Deploy manually or with a deploy hook, or set a PUBLIC_URL that GitHub can reach and create the App again.`
}
