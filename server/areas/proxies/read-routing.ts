import type { Context } from '../../context.ts'
import type { RoutedApplication, Routing } from '../../remote/proxy/routing.ts'
import { acmeThumbprint } from '../domains/acme-account.ts'
import { servedOf } from './served-certificates.ts'
import { settleDomains, settlePorts } from './settle.ts'
import {
  listApplicationsOf,
  listCertificatesOf,
  listDomainsOf,
  listInstancesOf,
  listPortsOf,
  listServersOf,
} from './store.ts'

/** What the rows say that the proxy of a machine has to do, as they are now. */
export async function readRouting(ctx: Context, machine: string): Promise<Routing> {
  const { db } = ctx
  const [servers, applications, instances, domains, ports, certificates, thumbprint] = await Promise.all([
    listServersOf(db, machine),
    listApplicationsOf(db, machine),
    listInstancesOf(db, machine),
    listDomainsOf(db, machine),
    listPortsOf(db, machine),
    listCertificatesOf(db, machine),
    acmeThumbprint(ctx),
  ])
  const routes = settleDomains(domains)
  const { httpPorts, httpsPorts, ...published } = settlePorts(servers, ports)
  for (const { id, host } of routes.lost)
    ctx.log.warn({ domain: id, host }, 'An address leads elsewhere on its machine, which had it before.')
  for (const { port, of } of published.lost)
    ctx.log.warn({ port, of }, 'A port is used for something else on its machine, which had it before.')
  // Nobody speaks in the name of another workspace by having a certificate for it.
  const served = servedOf(
    ctx,
    certificates.filter(({ host, workspace_id }) => routes.owners.get(host) === workspace_id),
  )
  const secured = new Set(served.map(({ host }) => host))
  return {
    httpPorts,
    httpsPorts,
    certificates: served,
    thumbprint,
    applications: applications.map((application): RoutedApplication => {
      const ours = instances.filter(({ application_id: id }) => id === application.id)
      const newest = ours.findLast(({ state }) => state === 'serving')
      return {
        id: application.id,
        replicas: application.replicas,
        maintenance: application.maintenance,
        healthPath: newest?.config.health.type === 'http' ? newest.config.health.path : null,
        instances: ours.flatMap(({ slot, address, port, state }) =>
          slot === null ? [] : [{ slot, address, port, serving: state === 'serving' }],
        ),
        domains: routes.kept
          .filter(({ application_id: id }) => id === application.id)
          .map(({ host, path, port, https, https_port }) => ({
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
