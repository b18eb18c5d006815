import type { listDomainsOf, listPortsOf, listServersOf } from './store.ts'

type Domain = Awaited<ReturnType<typeof listDomainsOf>>[number]
type Port = Awaited<ReturnType<typeof listPortsOf>>[number]
type Server = Awaited<ReturnType<typeof listServersOf>>[number]

export interface Settled<T> {
  kept: T[]
  lost: T[]
}

/*
 * Two may have claimed the same before it was known that their servers are one machine. Whoever had it there first keeps
 * it; the rows come in that order.
 */

/** A name is one workspace's, with all its paths. */
export function settleDomains(domains: readonly Domain[]): Settled<Domain> & { owners: Map<string, string> } {
  const owners = new Map<string, string>()
  const routes = new Set<string>()
  const kept: Domain[] = []
  const lost: Domain[] = []
  for (const domain of domains) {
    const { host, path, workspace_id } = domain
    const owner = owners.get(host) ?? workspace_id
    owners.set(host, owner)
    const isFree = owner === workspace_id && !routes.has(host + path)
    routes.add(host + path)
    if (isFree) kept.push(domain)
    else lost.push(domain)
  }
  return { kept, lost, owners }
}

/** What the proxy does on a port. */
type Use = 'http' | 'https' | Port

export function settlePorts(servers: readonly Server[], ports: readonly Port[]) {
  const uses = new Map<number, Use>()
  const lost: { port: number; of: string }[] = []
  const claims = [
    ...listeningOf(servers).flatMap((server): { port: number; use: Use; of: string; since: Date }[] => [
      { port: server.http_port, use: 'http', of: server.id, since: server.since },
      { port: server.https_port, use: 'https', of: server.id, since: server.since },
    ]),
    ...ports.map((port) => ({ port: port.source, use: port, of: port.application_id, since: port.since })),
  ].sort((one, other) => one.since.getTime() - other.since.getTime())
  for (const { port, use, of } of claims) {
    const known = uses.get(port)
    if (known === undefined) uses.set(port, use)
    else if (known !== use) lost.push({ port, of })
  }
  const portsFor = (wanted: Use) => [...uses].flatMap(([port, use]) => (use === wanted ? [port] : []))
  return {
    httpPorts: portsFor('http'),
    httpsPorts: portsFor('https'),
    kept: ports.filter((port) => uses.get(port.source) === port),
    lost,
  }
}

/** A server that was never set up has no say in where the proxy listens, unless nobody has. */
function listeningOf(servers: readonly Server[]): Server[] {
  const setUp = servers.filter((server) => server.is_set_up)
  return setUp.length > 0 ? setUp : [...servers]
}
