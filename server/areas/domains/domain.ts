import type { z } from 'zod'
import type { domain } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { domainUrl } from '../applications/domain-url.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { presentCertificate } from './certificate.ts'
import {
  type CertificateRow,
  type DomainRow,
  findDomainRow,
  listCertificates,
  listDomainRows,
} from './store.ts'

function present(
  row: DomainRow,
  certificate: CertificateRow | undefined,
  server: ServerRow,
): z.input<typeof domain> {
  const { id, host, path, port, https, generated } = row
  const shown = https && certificate ? presentCertificate(certificate) : null
  return {
    id,
    host,
    path,
    port,
    https,
    generated,
    url: domainUrl(row, shown?.status === 'issued', webPortsOf(server)),
    certificate: shown,
  }
}

export async function listDomains(ctx: Context, actor: Actor, id: Id<'application'>) {
  const application = await getApplicationRow(ctx, actor, id)
  const rows = await listDomainRows(ctx.db, actor.workspace.id, id)
  return presentAll(ctx, ctx.db, application, rows)
}

/** As it is after a change, in its transaction. */
export async function presentDomain(ctx: Context, trx: Trx, application: ApplicationRow, row: DomainRow) {
  const [shown] = await presentAll(ctx, trx, application, [row])
  if (!shown) throw notFound('This domain')
  return shown
}

async function presentAll(ctx: Context, db: Db, application: ApplicationRow, rows: DomainRow[]) {
  const server = await serverOf(ctx, db, application)
  const hosts = rows.map(({ host }) => host)
  const certificates = await listCertificates(db, application.workspace_id, hosts)
  return rows.map((row) =>
    present(
      row,
      certificates.find(({ host }) => host === row.host),
      server,
    ),
  )
}

/** The server that an application is on; it is there for as long as the application. */
export async function serverOf(ctx: Context, db: Db, application: ApplicationRow): Promise<ServerRow> {
  const server = await findServer({ ...ctx, db }, application.workspace_id, application.server_id)
  if (!server) throw notFound('This server')
  return server
}

export async function getDomainRow(
  trx: Trx,
  application: ApplicationRow,
  id: Id<'domain'>,
): Promise<DomainRow> {
  const row = await findDomainRow(trx, application.workspace_id, application.id, id)
  if (!row) throw notFound('This domain')
  return row
}
