import type { z } from 'zod'
import type { domain } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { type Actor, getTokenLimit } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { domainUrl } from '../applications/hosts/domain-url.ts'
import { firstPort, readServices } from '../applications/compose.ts'
import { generatedHost, isHostUsed } from '../applications/hosts/generated-host.ts'
import { claimHosts, type HostName, listHostNames, toTxtRecord } from '../applications/hosts/host-names.ts'
import type { GeneratedRoute } from '../applications/plan-application.ts'
import { findRelease } from '../applications/release.ts'
import { isReservedHost, reservedHostReason } from '../applications/hosts/reserved-host.ts'
import { findServer, getWebPorts, type ServerRow } from '../servers/server.ts'
import { presentCertificate } from './certificate.ts'
import {
  type CertificateRow,
  type DomainRow,
  isUsedOutside,
  listCertificates,
  listDomainRows,
} from './store.ts'

interface Beside extends Pick<z.input<typeof domain>, 'verification'> {
  certificate: CertificateRow | undefined
  lost: string | undefined
  server: ServerRow
}

function present(
  row: DomainRow,
  { certificate, lost, server, verification }: Beside,
): z.input<typeof domain> {
  const { id, service, host, path, port, https, generated } = row
  const shown = https && certificate ? presentCertificate(certificate) : null
  return {
    id,
    service,
    host,
    path,
    port,
    https,
    generated,
    url: domainUrl(row, shown?.status === 'issued', getWebPorts(server)),
    routing_error: lost ?? null,
    verification,
    certificate: shown,
  }
}

export async function listDomains(ctx: Context, actor: Actor, id: Id<'application'>) {
  const application = await getApplicationRow(ctx, actor, id)
  const rows = await listDomainRows(ctx.db, actor.workspace.id, id)
  return {
    domains: await presentAll(ctx, ctx.db, application, rows),
    generated: await findGenerated(ctx, application),
  }
}

async function findGenerated(ctx: Context, application: ApplicationRow): Promise<GeneratedRoute | null> {
  const server = await getApplicationServer(ctx, ctx.db, application)
  const generated = generatedHost(ctx.config, server, application.slug)
  if (!generated || (await isHostUsed(ctx.config, ctx.db, generated.host))) return null
  const services = await readServices(ctx, ctx.db, application)
  const to = services ? firstPort(services, application.profiles) : { service: '', port: null }
  return to ? { ...generated, ...to } : null
}

export async function presentDomain(ctx: Context, trx: Trx, application: ApplicationRow, row: DomainRow) {
  const [shown] = await presentAll(ctx, trx, application, [row])
  if (!shown) throw notFound('This domain')
  return shown
}

async function presentAll(ctx: Context, db: Db, application: ApplicationRow, rows: DomainRow[]) {
  const server = await getApplicationServer(ctx, db, application)
  const hosts = rows.map(({ host }) => host)
  const certificates = await listCertificates(db, application.workspace_id, hosts)
  const names = await findDeployed(db, application)
  const held = await listHostNames(db, application.workspace_id, hosts)
  return rows.map((row) => {
    const name = isReservedHost(ctx.config, row.host) ? undefined : held.get(row.host)
    return present(row, {
      certificate: certificates.find(({ host }) => host === row.host),
      lost: name ? names && describeMissingService(row, names) : describeRelease(ctx, row.host),
      server,
      verification: presentVerification(row, name),
    })
  })
}

function presentVerification({ workspace_id, host }: DomainRow, name: HostName | undefined) {
  const status = !name
    ? ('released' as const)
    : name.verified_at
      ? ('verified' as const)
      : name.needs_txt
        ? ('needs_txt' as const)
        : ('waiting_for_dns' as const)
  return {
    status,
    problem: name ? describeFailure(name) : null,
    verified_at: name?.verified_at?.toISOString() ?? null,
    txt_record: toTxtRecord(workspace_id, host),
  }
}

function describeFailure({
  workspace_id,
  host,
  proof,
  problem,
  failing_since: since,
}: HostName): string | null {
  if (proof === null || since === null) return proof === null ? problem : null
  const failure =
    proof === 'dns_txt'
      ? `The TXT record ${toTxtRecord(workspace_id, host).name} is missing. Create it again.`
      : problem
  const until = new Date(since.getTime() + 30 * 86_400_000).toISOString().slice(0, 10)
  return `${failure} If checks still fail on ${until}, another workspace can take over the domain.`
}

const describeRelease = ({ config }: Context, host: string) =>
  isReservedHost(config, host)
    ? `${reservedHostReason(config, host)}, so it is not routed to the application. Remove the domain.`
    : `The domain ${host} no longer belongs to this workspace: another workspace proved ownership, or an instance owner released it. If it is yours, create the TXT record and re-check; otherwise remove it.`

async function findDeployed(db: Db, application: ApplicationRow): Promise<string[] | undefined> {
  const { workspace_id, release_id, compose_sealed } = application
  if (compose_sealed === null || release_id === null) return undefined
  const release = await findRelease(db, workspace_id, release_id)
  return release?.config.services?.map(({ name }) => name)
}

const describeMissingService = ({ service }: DomainRow, names: string[]) =>
  names.includes(service)
    ? undefined
    : `Service ${service} is not deployed, so this domain is not routed. Deploy it, or choose another service.`

export const findGeneratedHost = async (ctx: Context, db: Db, application: ApplicationRow) =>
  generatedHost(ctx.config, await getApplicationServer(ctx, db, application), application.slug)?.host

export const claimHost = async (ctx: Context, trx: Trx, application: ApplicationRow, host: string) =>
  claimHosts(ctx, trx, application.workspace_id, [host], {
    generated: await findGeneratedHost(ctx, trx, application),
  })

export async function getApplicationServer(
  ctx: Context,
  db: Db,
  application: ApplicationRow,
): Promise<ServerRow> {
  const server = await findServer({ ...ctx, db }, application.workspace_id, application.server_id)
  if (!server) throw notFound('This server')
  return server
}

export interface DomainRef {
  id: Id<'application'>
  domain_id: Id<'domain'>
}

export async function getDomainRow(
  db: Db,
  application: ApplicationRow,
  id: Id<'domain'>,
): Promise<DomainRow> {
  const row = await db
    .selectFrom('domains')
    .selectAll()
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('This domain')
  return row
}

/** A limited API token could otherwise intercept requests of applications beyond its limit. */
export async function assertWithinTokenLimit(db: Db, actor: Actor, host: string): Promise<void> {
  const limit = getTokenLimit(actor)
  if (limit && (await isUsedOutside(db, actor.workspace.id, host, limit)))
    throw new Problem(
      403,
      'token_limited',
      `The domain ${host} is used by an application outside the limit of this API token. Use another domain, or an unlimited token.`,
    )
}
