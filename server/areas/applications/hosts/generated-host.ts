import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { sql } from 'kysely'
import type { Config } from '../../../config.ts'
import { isLoopback, isPublicAddress } from '../../../platform/net/address-range.ts'
import type { Db } from '../../../tables.ts'
import type { ServerRow } from '../../servers/server.ts'
import { isHostHeld } from './host-names.ts'
import { isReservedHost } from './reserved-host.ts'

export interface GeneratedHost {
  host: string
  https: boolean
}

export function generatedHost(
  config: Pick<Config, 'WILDCARD_DOMAIN' | 'PUBLIC_URL'>,
  server: Pick<ServerRow, 'kind' | 'address'>,
  slug: string,
): GeneratedHost | undefined {
  if (config.WILDCARD_DOMAIN) return { host: `${slug}.${config.WILDCARD_DOMAIN}`, https: true }
  const own = new URL(config.PUBLIC_URL).hostname
  // Browsers resolve these names to the machine that they run on, as they do with the URL of Slipway.
  if (server.kind === 'local' && isLoopback(own)) return { host: `${slug}.localhost`, https: false }
  const address = server.kind === 'local' ? (isIPv4(own) ? own : findPublicAddress()) : server.address
  if (address === null || !isIPv4(address)) return undefined
  // Dashes, since sslip.io would read 2.10.0.0 from shop-2.10.0.0.1. Without HTTPS: certificates for sslip.io are rate-limited.
  return { host: `${slug}.${address.replaceAll('.', '-')}.sslip.io`, https: false }
}

function findPublicAddress(): string | null {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return own.find(({ address }) => isIPv4(address) && isPublicAddress(address))?.address ?? null
}

/** Workspaces share the wildcard domain, so all are checked. */
export async function isHostUsed(
  config: Pick<Config, 'PUBLIC_URL' | 'WILDCARD_DOMAIN'>,
  db: Db,
  host: string,
): Promise<boolean> {
  if (isReservedHost(config, host)) return true
  const { rows } = await sql`select from domains where host = ${host} limit 1`.execute(db)
  return rows.length > 0 || isHostHeld(db, host)
}
