import { sql } from 'kysely'
import type { z } from 'zod'
import type { createApplication } from '../../../contract/applications.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import type { ServerRow } from '../servers/server.ts'
import { claimRoutes, problemsOf } from './claim-routes.ts'
import { type GeneratedHost, generatedHost } from './generated-host.ts'
import type { Problems } from './ports.ts'
import { numbered, slugOf } from './slug.ts'

/** What somebody fills in for one that is to be made. */
export type NewApplication = z.output<(typeof createApplication)['body']>

/** What it would be called on the server, and what stands against it. */
export interface Plan {
  slug: string
  generated: GeneratedHost | undefined
  problems: Problems
}

/** Until the transaction ends nobody else gets what is free now. */
export async function planApplication(
  ctx: Pick<Context, 'config'>,
  trx: Trx,
  server: ServerRow,
  { name, domains, ports, generated_address: isWanted }: NewApplication,
): Promise<Plan> {
  const taken = await claimRoutes(trx, server, { domains, ports: ports.map(({ source }) => source) })
  const { slug, generated } = await findFree(ctx, trx, server, slugOf(name))
  return { slug, generated: isWanted ? generated : undefined, problems: problemsOf(taken) }
}

/** The first of shop, shop-2, shop-3 … that neither the server nor an address has. */
async function findFree({ config }: Pick<Context, 'config'>, trx: Trx, server: ServerRow, base: string) {
  const used = new Set(await listSlugs(trx, server))
  for (let n = 1; ; n++) {
    const slug = numbered(base, n)
    const generated = generatedHost(config, server, slug)
    if (!used.has(slug) && !(generated && (await isUsed(trx, generated.host)))) return { slug, generated }
  }
}

async function listSlugs(trx: Trx, { workspace_id, id }: ServerRow): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from applications where workspace_id = ${workspace_id} and server_id = ${id}`.execute(trx)
  return rows.map(({ slug }) => slug)
}

/** By anybody: another workspace may have the same machine, and all servers share the operator's wildcard. */
async function isUsed(trx: Trx, host: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`host:${host}`}, 0))`.execute(trx)
  const { rows } = await sql`select from domains where host = ${host} limit 1`.execute(trx)
  return rows.length > 0
}
