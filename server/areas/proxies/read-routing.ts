import type { Context } from '../../context.ts'
import type { RoutedApplication, Routing } from '../../remote/proxy/routing.ts'
import { listDomainsOn, listListenersOn, listPortsOn } from '../applications/hosts/claims.ts'
import { isReservedHost } from '../applications/hosts/reserved-host.ts'
import { resolveDomainConflicts, resolvePortConflicts } from '../applications/hosts/route-conflicts.ts'
import { usableCertificates } from './served-certificates.ts'
import {
  listRoutedApplications,
  listMachineCertificates,
  listMachineChallenges,
  listMachineInstances,
} from './store.ts'

/** Reads the routing of a machine from the database. */
export async function readRouting(ctx: Context, machine: string): Promise<Routing> {
  const { db } = ctx
  const [servers, applications, instances, domains, ports, certificates, challenges] = await Promise.all([
    listListenersOn(db, machine),
    listRoutedApplications(db, machine),
    listMachineInstances(db, machine),
    listDomainsOn(db, machine),
    listPortsOn(db, machine),
    listMachineCertificates(db, machine),
    listMachineChallenges(db, machine),
  ])
  const routes = resolveDomainConflicts(domains.filter(({ host }) => !isReservedHost(ctx.config, host)))
  const { httpPorts, httpsPorts, ...published } = resolvePortConflicts(servers, ports)
  for (const { domain } of routes.lost)
    ctx.log.warn(
      { domain: domain.id, host: domain.host },
      'A domain is not routed: another application on the machine claimed it first.',
    )
  for (const { source, of } of published.lost)
    ctx.log.warn(
      { port: source, of },
      'A port is not published: another application on the machine claimed it first.',
    )
  const names = new Set(routes.kept.map(({ host }) => host))
  const served = usableCertificates(
    ctx,
    certificates.filter(({ host }) => names.has(host)),
  )
  const secured = new Set(served.map(({ host }) => host))
  return {
    httpPorts,
    httpsPorts,
    certificates: served,
    challenges,
    applications: applications.map((application): RoutedApplication => {
      const ours = instances.filter(({ application_id: id }) => id === application.id)
      const newest = ours.findLast(({ state }) => state === 'serving')
      return {
        id: application.id,
        replicas: application.replicas,
        maintenance: application.maintenance,
        healthPath: newest?.config.health.type === 'http' ? newest.config.health.path : null,
        instances: ours.flatMap(({ service, slot, address, port, state }) =>
          slot === null ? [] : [{ service, slot, address, port, serving: state === 'serving' }],
        ),
        domains: routes.kept
          .filter(({ application_id: id }) => id === application.id)
          .map(({ service, host, path, port, https, https_port }) => ({
            service,
            host,
            path,
            port,
            secure: https && secured.has(host) ? withPort(host, https_port) : null,
          })),
        ports: published.kept.filter(({ application_id: id }) => id === application.id),
      }
    }),
  }
}

const withPort = (host: string, port: number) => (port === 443 ? host : `${host}:${port}`)
