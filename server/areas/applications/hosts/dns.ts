import { networkInterfaces } from 'node:os'
import { isIPv6 } from 'node:net'
import type { Context } from '../../../context.ts'
import { lookUpWithSystem, normalizeAddress, resolveName } from '../../../platform/net/resolve.ts'
import type { ServerRow } from '../../servers/server.ts'
import { formatList } from '../../../../contract/shared/format-list.ts'

type DnsServer = Pick<ServerRow, 'name' | 'kind' | 'address'>

export interface DnsResult {
  addresses: string[]
  problem: string | undefined
}

/** DNS check: whether a host name resolves to the server. The problem says which record to set. */
export async function checkDnsTarget(
  ctx: Pick<Context, 'config'>,
  server: DnsServer,
  host: string,
  signal?: AbortSignal,
): Promise<DnsResult> {
  const { DNS_SERVER } = ctx.config
  const [addresses, own] = await Promise.all([
    resolveName(host, DNS_SERVER, signal).catch(() => undefined),
    findServerAddresses(ctx, server, signal),
  ])
  if (!addresses)
    return {
      addresses: [],
      problem: `DNS lookup of ${host} failed. Check the name servers of the domain.`,
    }
  if (addresses.some((address) => own.includes(address))) return { addresses, problem: undefined }
  const [ours] = own
  const todo = ours
    ? `Set its ${isIPv6(ours) ? 'AAAA' : 'A'} record to ${ours}`
    : 'Set its A record to the address of this server'
  const problem =
    addresses.length === 0
      ? `${host} has no DNS record yet. ${todo}.`
      : `${host} points to ${formatList(addresses)}, not to ${server.name}${ours ? ` (${ours})` : ''}. ${todo}.`
  return { addresses, problem }
}

export async function findServerAddresses(
  { config }: Pick<Context, 'config'>,
  server: DnsServer,
  signal?: AbortSignal,
): Promise<string[]> {
  if (server.address) return resolveAddresses(server.address, config.DNS_SERVER, signal)
  if (server.kind !== 'local') return []
  const named = await resolveAddresses(new URL(config.PUBLIC_URL).hostname, config.DNS_SERVER, signal)
  const cards = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return [...named, ...cards.map(({ address }) => normalizeAddress(address))].filter(
    (address) => !/^127\.|^::1$|^fe80:/.test(address),
  )
}

/** Falls back to the system resolver, because the server may have a name that only the local network resolves. */
async function resolveAddresses(
  address: string,
  dnsServer: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const resolved = await resolveName(address, dnsServer, signal).catch(() => [])
  return resolved.length > 0 || signal?.aborted ? resolved : lookUpWithSystem(address)
}
