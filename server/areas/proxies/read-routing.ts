import type { Context } from '../../context.ts'
import type { RoutedApplication, Routing, ServedCertificate } from '../../remote/proxy/routing.ts'
import { listDomainsOn, listListenersOn, listPortsOn } from '../applications/hosts/claims.ts'
import { isReservedHost } from '../applications/hosts/reserved-host.ts'
import { resolveDomainConflicts, resolvePortConflicts } from '../applications/hosts/route-conflicts.ts'
import {
  listMachineCertificates,
  listMachineChallenges,
  listMachineInstances,
  listRoutedApplications,
} from './store.ts'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { certificateKeySealContext } from '../applications/hosts/certificate-request.ts'

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

type CertificateRow = Awaited<ReturnType<typeof listMachineCertificates>>[number]

const MAX_CACHED = 10_000

/** Returns one certificate per host, without invalid ones: HAProxy would reject them all. */
function usableCertificates(ctx: Context, rows: CertificateRow[]): ServedCertificate[] {
  const served = new Map<string, ServedCertificate>()
  for (const { chain, key_sealed, ...row } of rows) {
    if (served.has(row.host) || chain === null || key_sealed === null) continue
    const key = ctx.secrets.open(certificateKeySealContext(row.id), key_sealed)
    const certificate = { host: row.host, pem: `${chain.trim()}\n${key.trim()}\n` }
    const mark = fingerprint(certificate)
    const fits = ctx.certificateChecks.get(mark) ?? isPair(chain, key)
    remember(ctx, mark, fits)
    if (fits) served.set(row.host, certificate)
    else ctx.log.error({ certificate: row.id }, 'The proxy cannot use a certificate.')
  }
  return [...served.values()]
}

export const rejectCertificate = (ctx: Context, certificate: ServedCertificate) =>
  remember(ctx, fingerprint(certificate), false)

function remember({ certificateChecks: checks }: Context, mark: string, fits: boolean) {
  if (checks.size > MAX_CACHED) checks.clear()
  checks.set(mark, fits)
}

const fingerprint = ({ pem }: ServedCertificate) => createHash('sha256').update(pem).digest('base64')

function isPair(chain: string, key: string): boolean {
  try {
    return new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
