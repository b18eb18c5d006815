import { sql } from 'kysely'
import type { z } from 'zod'
import type { createApplication } from '../../../contract/applications.ts'
import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import type { ServerRow } from '../servers/server.ts'
import { claimRoutes, everywhere, problemsOf } from './claim-routes.ts'
import { checkSource, type ReadCompose } from './compose.ts'
import { firstPort, routeProblems } from './compose-routes.ts'
import { cpuProblems } from './fits.ts'
import { type GeneratedHost, generatedHost, isHostUsed } from './generated-host.ts'
import type { Problems } from './ports.ts'
import { numbered, slugOf } from './slug.ts'

/** What somebody fills in for one that is to be made. */
export type NewApplication = z.output<(typeof createApplication)['body']>

/** What it would be called on the server, and what stands against it. */
export interface Plan {
  slug: string
  generated: GeneratedRoute | undefined
  /** Of a compose file. */
  compose: ReadCompose | undefined
  problems: Problems
}

/** Of a compose file it leads to one of its services. */
export interface GeneratedRoute extends GeneratedHost {
  service: string
  port: number | null
}

/** Until the transaction ends nobody else gets what is free now. */
export async function planApplication(
  ctx: Pick<Context, 'config'>,
  trx: Trx,
  server: ServerRow,
  given: NewApplication,
): Promise<Plan> {
  const { name, domains, ports, cpu_limit: cpu, source } = given
  const compose = 'compose' in source ? checkSource(source, given.env) : undefined
  const taken = await claimRoutes(trx, server, { domains, ports: ports.map(everywhere) })
  const { slug, generated } = await findFree(ctx, trx, server, slugOf(name))
  const problems = {
    ...problemsOf(taken),
    ...cpuProblems(server, cpu),
    ...routeProblems(given, compose?.services),
    ...compose?.problems,
  }
  const to =
    compose && 'compose' in source
      ? firstPort(compose.services, source.profiles)
      : { service: '', port: null }
  const isWanted = given.generated_address && generated && to
  return { slug, generated: isWanted ? { ...generated, ...to } : undefined, compose, problems }
}

/** The first of shop, shop-2, shop-3 … that neither the server nor an address has. */
async function findFree({ config }: Pick<Context, 'config'>, trx: Trx, server: ServerRow, base: string) {
  const used = new Set(await listSlugs(trx, server))
  for (let n = 1; ; n++) {
    const slug = numbered(base, n)
    const generated = generatedHost(config, server, slug)
    if (!used.has(slug) && !(generated && (await isClaimed(trx, generated.host)))) return { slug, generated }
  }
}

async function listSlugs(trx: Trx, { workspace_id, id }: ServerRow): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from applications where workspace_id = ${workspace_id} and server_id = ${id}`.execute(trx)
  return rows.map(({ slug }) => slug)
}

/** Until the transaction ends nobody else gets it. */
async function isClaimed(trx: Trx, host: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`host:${host}`}, 0))`.execute(trx)
  return isHostUsed(trx, host)
}
