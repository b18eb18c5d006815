import { type ListenAddress, listenAddressesOverlap } from '../../compose/ports.ts'
import type { listDomainsOn, listListenersOn, listPortsOn } from './claims.ts'

type Domain = Awaited<ReturnType<typeof listDomainsOn>>[number]
type Port = Awaited<ReturnType<typeof listPortsOn>>[number]
type Listener = Awaited<ReturnType<typeof listListenersOn>>[number]

/*
 * Two applications may claim the same route before their servers are identified as one machine. The first claim wins;
 * rows are sorted by it.
 */

export function resolveDomainConflicts(domains: readonly Domain[]) {
  const routes = new Map<string, Domain>()
  const kept: Domain[] = []
  const lost: { domain: Domain; to: Domain }[] = []
  for (const domain of domains) {
    const { host, path } = domain
    const holder = routes.get(host + path)
    if (holder) lost.push({ domain, to: holder })
    else {
      routes.set(host + path, domain)
      kept.push(domain)
    }
  }
  return { kept, lost }
}

export type PortUse = 'http' | 'https' | Port

interface Claim extends ListenAddress {
  use: PortUse
  of: string
  since: Date
}

export function resolvePortConflicts(listeners: readonly Listener[], ports: readonly Port[]) {
  const kept: Claim[] = []
  const lost: (Claim & { to: PortUse })[] = []
  const claims = [
    ...listeningOf(listeners).flatMap(({ id, http_port, https_port, since }): Claim[] => [
      { host: '', source: http_port, use: 'http', of: id, since },
      { host: '', source: https_port, use: 'https', of: id, since },
    ]),
    ...ports.map((port): Claim => ({
      host: port.host,
      source: port.source,
      use: port,
      of: port.application_id,
      since: port.since,
    })),
  ].sort((one, other) => one.since.getTime() - other.since.getTime())
  for (const claim of claims) {
    const known = kept.find((one) => listenAddressesOverlap(one, claim))
    if (!known) kept.push(claim)
    else if (known.use !== claim.use) lost.push({ ...claim, to: known.use })
  }
  const portsFor = (wanted: PortUse) => kept.flatMap(({ source, use }) => (use === wanted ? [source] : []))
  return {
    httpPorts: portsFor('http'),
    httpsPorts: portsFor('https'),
    kept: ports.filter((port) => kept.some(({ use }) => use === port)),
    lost,
  }
}

/** Servers that were never set up do not decide the proxy ports, unless all are so. */
function listeningOf(listeners: readonly Listener[]): Listener[] {
  const setUp = listeners.filter((listener) => listener.is_set_up)
  return setUp.length > 0 ? setUp : [...listeners]
}
