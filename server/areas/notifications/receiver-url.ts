import { isIP } from 'node:net'
import type { Context } from '../../context.ts'
import { isPublicAddress } from '../../platform/net/is-public.ts'
import { getSettings } from '../../settings.ts'
import { isInNetworks } from '../../platform/net/safe-fetch.ts'

/** Validates what is known before the request. The address that a name resolves to is checked when connecting. */
export async function checkReceiverUrl(ctx: Context, given: string): Promise<string | undefined> {
  if (!URL.canParse(given)) return 'Must be a complete URL, such as https://example.com/hook.'
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Must begin with https://.'
  if (url.username || url.password) return 'Must not contain a username or password.'
  const { allowedNetworks: networks } = await getSettings(ctx)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const address = /(^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host
  if (isIP(address)) {
    if (isInNetworks(address, networks)) return undefined
    if (!isPublicAddress(address))
      return `Slipway does not call ${host}, which is not a public address. Enter a public one or ask the instance owner to allow its range (OUTBOUND_NETWORKS).`
  }
  // A name may resolve to an allowed network, where HTTP is accepted.
  if (url.protocol === 'http:' && (isIP(address) || networks.length === 0)) return 'Must begin with https://.'
  return undefined
}
