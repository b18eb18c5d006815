import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { errorCode } from '../db.ts'

/**
 * Resolves a name to its addresses, IPv4 first. Returns none if the name does not exist, and throws if DNS is
 * unavailable.
 */
export async function resolveName(name: string, dnsServer?: string, signal?: AbortSignal): Promise<string[]> {
  if (isIP(name)) return [normalizeAddress(name)]
  const resolver = newResolver(dnsServer, signal)
  const addresses = await Promise.all([
    emptyIfMissing(resolver.resolve4(name)),
    emptyIfMissing(resolver.resolve6(name)),
  ])
  return addresses.flat().map(normalizeAddress)
}

export async function resolveTxt(name: string, dnsServer?: string, signal?: AbortSignal): Promise<string[]> {
  const resolver = newResolver(dnsServer, signal)
  return emptyIfMissing(resolver.resolveTxt(name).then((records) => records.map((parts) => parts.join(''))))
}

function newResolver(dnsServer: string | undefined, signal: AbortSignal | undefined): Resolver {
  signal?.throwIfAborted()
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (dnsServer) resolver.setServers([dnsServer])
  signal?.addEventListener('abort', () => resolver.cancel(), { once: true })
  return resolver
}

export const lookUpWithSystem = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true }).catch(() => [])).map(({ address }) => normalizeAddress(address))

const emptyIfMissing = (answer: Promise<string[]>) =>
  answer.catch((error: unknown) => {
    if (['ENODATA', 'ENOTFOUND'].includes(errorCode(error) ?? '')) return []
    throw error
  })

export const normalizeAddress = (address: string) =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
