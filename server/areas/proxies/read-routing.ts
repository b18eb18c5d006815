import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { RoutedApplication, Routing, ServedCertificate } from '../../remote/proxy/plan.ts'
import { isReservedHost } from '../applications/hosts/reserved-host.ts'
import { listenAddressesOverlap } from '../compose/ports.ts'
import { getWebPorts, type ServerRow } from '../servers/server.ts'
import { certificateKeySealContext } from '../applications/hosts/certificate-request.ts'
import {
  listPendingChallenges,
  listRoutedApplications,
  listRoutedCertificates,
  listRoutedDomains,
  listRoutedInstances,
  listRoutedPorts,
} from './store.ts'

export async function readRouting(ctx: Context, server: ServerRow): Promise<Routing> {
  const { db } = ctx
  const [applications, instances, allDomains, allPorts, certificates, challenges] = await Promise.all([
    listRoutedApplications(db, server.id),
    listRoutedInstances(db, server.id),
    listRoutedDomains(db, server.id),
    listRoutedPorts(db, server.id),
    listRoutedCertificates(db, server.id),
    listPendingChallenges(db, server.id),
  ])
  const domains = allDomains.filter(({ host }) => !isReservedHost(ctx.config, host))
  // A rollback restores ports that another application may have claimed meanwhile.
  const ports = allPorts.filter(
    (port, index) => !allPorts.slice(0, index).some((older) => listenAddressesOverlap(older, port)),
  )
  const { http_port: httpPort, https_port: httpsPort } = getWebPorts(server)
  const names = new Set(domains.map(({ host }) => host))
  const served = usableCertificates(
    ctx,
    certificates.filter(({ host }) => names.has(host)),
  )
  const secured = new Set(served.map(({ host }) => host))
  return {
    httpPorts: [httpPort],
    httpsPorts: [httpsPort],
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
        domains: domains
          .filter(({ application_id: id }) => id === application.id)
          .map(({ service, host, path, port, https }) => ({
            service,
            host,
            path,
            port,
            secure: https && secured.has(host) ? withPort(host, httpsPort) : null,
          })),
        ports: ports.filter(({ application_id: id }) => id === application.id),
      }
    }),
  }
}

const withPort = (host: string, port: number) => (port === 443 ? host : `${host}:${port}`)

type CertificateRow = Awaited<ReturnType<typeof listRoutedCertificates>>[number]

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
