import { sql } from 'kysely'
import type { z } from 'zod'
import type { createApplication } from '../../../contract/applications.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { getWebPorts, type ServerRow } from '../servers/server.ts'
import { claimRoutes, onAllAddresses, toFieldProblems } from './hosts/claim-routes.ts'
import { checkSource, firstPort, type ReadCompose, routeProblems } from './compose.ts'
import { checkBuildLimits, checkCpuLimit } from './review/limits.ts'
import { type GeneratedHost, generatedHost, isHostUsed } from './hosts/generated-host.ts'
import { findHostProblem } from './hosts/host-names.ts'
import { mergeVariables, readProjectVariables } from './config.ts'
import { listNetworkNames, toNetworkNames } from './networks.ts'
import type { FieldProblems } from './entries/ports.ts'
import { lockProject } from './application.ts'
import { toNumberedSlug, toSlug } from './hosts/slug.ts'
import { domainUrl } from './hosts/domain-url.ts'

export type NewApplication = z.output<(typeof createApplication)['body']> & { template?: FromTemplate }

export interface Plan {
  slug: string
  generated: GeneratedRoute | undefined
  compose: ReadCompose | undefined
  env: Pair[]
  problems: FieldProblems
}

export interface GeneratedRoute extends GeneratedHost {
  service: string
  port: number | null
}

/** Holds locks until the transaction ends, so that the names that it finds free stay free. */
export async function planApplication(
  ctx: Pick<Context, 'config' | 'secrets'>,
  trx: Trx,
  server: ServerRow,
  input: NewApplication,
): Promise<Plan> {
  const { domains, ports, cpu_limit: cpu, source, template } = input
  const inherited = await lockProjectAndReadVariables(ctx, trx, server, input)
  const check = async (env: Pair[]) =>
    'compose' in source
      ? checkSource(server.workspace_id, source, mergeVariables(inherited, env), server)
      : undefined
  const named = template ? undefined : await check(input.env)
  const taken = await claimRoutes(trx, server, { domains, ports: ports.map(onAllAddresses) })
  const { slug, route, address } = await findAddress(ctx, trx, server, input, named)
  const filled = await template?.fill(address)
  const compose = filled ? await check(filled.env) : named
  const problems = {
    ...toFieldProblems(taken),
    ...(await hostProblems(ctx, trx, server, input)),
    ...checkCpuLimit(server, cpu),
    ...checkBuildLimits(server, source),
    ...routeProblems(input, compose?.services),
    ...compose?.problems,
    ...filled?.problems,
  }
  return { slug, generated: route, compose, env: filled?.env ?? input.env, problems }
}

async function hostProblems(
  ctx: Pick<Context, 'config'>,
  trx: Trx,
  { workspace_id: workspaceId }: ServerRow,
  { domains }: NewApplication,
): Promise<FieldProblems> {
  const problems: FieldProblems = {}
  for (const [index, { host }] of domains.entries()) {
    const problem = await findHostProblem(ctx, trx, workspaceId, host)
    if (problem) problems[`domains.${index}.host`] = [problem.message]
  }
  return problems
}

function findRoute({ source, template }: NewApplication, compose: ReadCompose | undefined) {
  if (template) return template.http
  return compose && 'compose' in source
    ? firstPort(compose.services, source.profiles)
    : { service: '', port: null }
}

/**
 * Parses the compose file before the transaction and caches the result. Templates are filled in with the URL that the
 * application most likely gets.
 */
export async function checkComposePlan(
  ctx: Pick<Context, 'config' | 'db' | 'secrets'>,
  server: ServerRow,
  input: NewApplication,
): Promise<void> {
  const { source, template, project_id: projectId } = input
  if (!('compose' in source)) return
  const workspaceId = server.workspace_id
  const inherited =
    projectId === undefined ? [] : await readProjectVariables(ctx, ctx.db, workspaceId, projectId)
  const expected =
    template && (await transaction(ctx.db, (trx) => findAddress(ctx, trx, server, input, undefined)))
  const env = template ? (await template.fill(expected?.address)).env : input.env
  await checkSource(workspaceId, source, mergeVariables(inherited, env), server)
}

async function findAddress(
  ctx: Pick<Context, 'config'>,
  trx: Trx,
  server: ServerRow,
  input: NewApplication,
  compose: ReadCompose | undefined,
) {
  const services = input.template?.services ?? compose?.services.map((service) => service.name)
  const { slug, generated } = await findFree(ctx, trx, server, { base: toSlug(input.name), services })
  const to = findRoute(input, compose)
  const route = input.generated_address && generated && to ? { ...generated, ...to } : undefined
  const first = input.domains[0] ?? route
  return { slug, route, address: first && toApplicationAddress(server, first) }
}

async function lockProjectAndReadVariables(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  { workspace_id: workspaceId }: ServerRow,
  { project_id: projectId }: NewApplication,
): Promise<Pair[]> {
  if (projectId === undefined) return []
  await lockProject(trx, workspaceId, projectId)
  return readProjectVariables(ctx, trx, workspaceId, projectId)
}

async function findFree(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  server: ServerRow,
  { base, services }: { base: string; services: string[] | undefined },
) {
  const slugs = new Set(await listSlugs(trx, server))
  const names = new Set(await listNames(trx, server))
  for (let n = 1; ; n++) {
    const slug = toNumberedSlug(base, n)
    const generated = generatedHost(config, server, slug)
    const isFree = !slugs.has(slug) && !toNetworkNames(slug, services).some(({ name }) => names.has(name))
    if (isFree && !(generated && (await isClaimed(config, trx, generated.host)))) return { slug, generated }
  }
}

async function listSlugs(trx: Trx, { workspace_id, id }: ServerRow): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from applications where workspace_id = ${workspace_id} and server_id = ${id}`.execute(trx)
  return rows.map(({ slug }) => slug)
}

/** Container names are network aliases as well. */
async function listNames(trx: Trx, { workspace_id, id }: ServerRow): Promise<string[]> {
  const had = await listNetworkNames(trx, { workspace_id, server_id: id })
  const { rows } = await sql<{ name: string }>`
    select name from containers
    where workspace_id = ${workspace_id} and server_id = ${id} and application_id is not null`.execute(trx)
  return [...had, ...rows].map(({ name }) => name)
}

async function isClaimed(config: Context['config'], trx: Trx, host: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`host:${host}`}, 0))`.execute(trx)
  return isHostUsed(config, trx, host)
}

export interface ApplicationAddress {
  host: string
  url: string
}

export interface FromTemplate {
  services: string[]
  http: { service: string; port: number } | null
  /**
   * Derives variables from the URL, which is known once the application has a name. Returns the same values and
   * generated secrets for the same URL.
   */
  fill: (address: ApplicationAddress | undefined) => Promise<{ env: Pair[]; problems: FieldProblems }>
}

/** Assumes that the certificate is issued, so that templates receive an HTTPS URL from the start. */
export const toApplicationAddress = (
  server: ServerRow,
  route: { host: string; https: boolean },
): ApplicationAddress => ({
  host: route.host,
  url: domainUrl({ ...route, path: '' }, route.https, getWebPorts(server)),
})
