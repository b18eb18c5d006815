import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { RoutedApplication, Routing, ServedCertificate } from '../../remote/proxy/plan.ts'
import type { Db } from '../../tables.ts'
import { isReservedHost } from '../applications/hosts/reserved-host.ts'
import { listenAddressesOverlap } from '../compose/ports.ts'
import { getWebPorts, type ServerRow } from '../servers/server.ts'
import { certificateKeySealContext } from '../applications/hosts/certificate-request.ts'

export async function readRouting(ctx: Context, server: ServerRow): Promise<Routing> {
  const { db } = ctx
  const [applications, instances, allDomains, allPorts, certificates, challenges, trustedProxies] =
    await Promise.all([
      listRoutedApplications(db, server.id),
      listRoutedInstances(db, server.id),
      listRoutedDomains(db, server.id),
      listRoutedPorts(db, server.id),
      listRoutedCertificates(db, server.id),
      listPendingChallenges(db, server.id),
      // A queued sync may have an older row of the server.
      findTrustedProxies(db, server.id),
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
    trustedProxies,
    probeKey: probeKey(ctx, server.id),
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

async function findTrustedProxies(db: Db, id: Id<'server'>): Promise<string[]> {
  const row = await db.selectFrom('servers').select('trusted_proxies').where('id', '=', id).executeTakeFirst()
  return row?.trusted_proxies ?? []
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
    else ctx.log.error({ certificate: row.id }, 'Skipped a certificate that the proxy cannot use')
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

const listRoutedApplications = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('applications as a')
    .leftJoin('releases as r', 'r.id', 'a.release_id')
    .select([
      'a.id',
      'a.server_id',
      'a.maintenance',
      // Replicas of a compose file are known once it is deployed.
      sql<number>`case when a.compose_sealed is null then a.replicas
        else coalesce((r.config->>'replicas')::int, 1) end`.as('replicas'),
    ])
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .orderBy('a.id')
    .execute()

/** Lists instances with a proxy slot, with the health check of their release, the newest last. */
export const listRoutedInstances = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('instances as i')
    .innerJoin('releases as r', 'r.id', 'i.release_id')
    .select(['i.id', 'i.application_id', 'i.service', 'i.address', 'i.port', 'i.slot', 'i.state', 'r.config'])
    .where('i.server_id', '=', serverId)
    .where('i.state', 'in', ['serving', 'held', 'draining'])
    .where('i.slot', 'is not', null)
    .where('i.address', 'is not', null)
    .$narrowType<{ address: string }>()
    .orderBy('r.number')
    .orderBy('i.id')
    .execute()

const listRoutedDomains = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('domains as d')
    .innerJoin('applications as a', 'a.id', 'd.application_id')
    // The join leaves out names that the workspace does not hold.
    .innerJoin('host_names as n', (on) =>
      on.onRef('n.workspace_id', '=', 'd.workspace_id').onRef('n.host', '=', 'd.host'),
    )
    .select(['d.application_id', 'd.service', 'd.host', 'd.path', 'd.port', 'd.https'])
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .orderBy('d.id')
    .execute()

const listRoutedPorts = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('published_ports as p')
    .innerJoin('applications as a', 'a.id', 'p.application_id')
    .select(['p.application_id', 'p.service', 'p.host', 'p.source', 'p.target'])
    .where('a.server_id', '=', serverId)
    .where('a.deleting_at', 'is', null)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .execute()

const listRoutedCertificates = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('certificates as c')
    .select(['c.id', 'c.workspace_id', 'c.host', 'c.chain', 'c.key_sealed'])
    .where('c.chain', 'is not', null)
    .where('c.key_sealed', 'is not', null)
    .where((build) =>
      build.exists(
        build
          .selectFrom('domains as d')
          .innerJoin('applications as a', 'a.id', 'd.application_id')
          .select('d.id')
          .whereRef('d.workspace_id', '=', 'c.workspace_id')
          .whereRef('d.host', '=', 'c.host')
          .where('d.https', '=', true)
          .where('a.deleting_at', 'is', null)
          .where('a.server_id', '=', serverId),
      ),
    )
    .orderBy('c.host')
    .orderBy('c.expires_at', 'desc')
    .execute()

const listPendingChallenges = (db: Db, serverId: Id<'server'>) =>
  db
    .selectFrom('acme_challenges as c')
    .select(['c.host', 'c.token', 'c.key_authorization as keyAuthorization'])
    .where('c.server_id', '=', serverId)
    .where('c.expires_at', '>', sql<Date>`now()`)
    .execute()

/** Marks Slipway's own requests, which the proxy of the server does not count as traffic. */
export const probeKey = ({ secrets }: Pick<Context, 'secrets'>, serverId: Id<'server'>): string =>
  secrets.fingerprint(`probes of ${serverId}`)
