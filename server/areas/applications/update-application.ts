import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { updateApplication as contract } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, forbidden, notFound } from '../../errors.ts'
import { type Actor, getTokenLimit } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { lockRoutes } from '../servers/web-ports.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import {
  type ApplicationRow,
  changeApplication,
  emitApplicationChange,
  getApplicationRow,
  lockApplication,
  withLockedApplication,
} from './application.ts'
import { checkSource, composeColumns, openCompose, type ReadCompose } from './compose.ts'
import { openCommand, readApplicationConfig, sealCommand, listVolumeRows } from './config.ts'
import { checkBuildLimits, checkCpuLimit } from './review/limits.ts'
import { changeSource, findRepository } from './source-input.ts'
import { isBind } from './instance.ts'
import { toApplicationDetails } from './list-applications.ts'
import { assertNoNewSharedNames } from './compose-token-limit.ts'
import { listNetworkNames, nameProblems, toNetworkNames } from './networks.ts'
import { assertNoProblems } from './entries/ports.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { findSource } from './source.ts'

type ApplicationUpdate = z.output<(typeof contract)['body']>

/** Name and maintenance apply immediately, container settings with the next deployment. */
export async function updateApplication(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  input: ApplicationUpdate,
) {
  await mustFit(ctx, actor, id, input)
  const repository = await resolveSource(ctx, actor, id, input.source)
  const row = await withLockedApplication(ctx, actor, id, async (trx, application) => {
    const { health, command, ...plain } = findChangedColumns(ctx, application, input)
    const server = await getServerRow({ ...ctx, db: trx }, actor, application.server_id)
    const asRoot = canActAsRoot(actor, server)
    const compose = await changeCompose(ctx, actor, trx, application, input.source)
    const names = [
      ...Object.keys({ ...plain, ...(health && { health }), ...(command !== undefined && { command }) }),
      ...(compose ? ['compose'] : []),
      ...(repository
        ? await changeSource(ctx, trx, asRoot, application, repository.source, repository.repository)
        : []),
    ]
    if (names.length === 0) return application
    if (!asRoot)
      assertProgramUnchanged(await listVolumeRows(trx, application.workspace_id, application.id), names)
    const changes = {
      ...plain,
      ...(health && { health: JSON.stringify(health) }),
      ...(command !== undefined && { command_sealed: sealCommand(ctx, id, command) }),
      ...compose,
    }
    const now =
      Object.keys(changes).length === 0
        ? await lockApplication(trx, actor.workspace.id, id)
        : await changeApplication(trx, actor.workspace.id, id, changes)
    if (!now) throw notFound('This application')
    if (plain.maintenance !== undefined) await requestProxySync(ctx, trx, now)
    await emitApplicationChange(trx, actor, now, 'application.updated', names)
    return now
  })
  return toApplicationDetails(ctx, row)
}

/** Actors without root access to the server may not change what runs in containers that mount server folders. */
export function assertProgramUnchanged(
  volumes: readonly { source: string }[],
  names: readonly string[],
): void {
  const changed = names.filter((name) => !harmless.has(name))
  if (changed.length > 0 && volumes.some(({ source }) => isBind(source)))
    throw forbidden(
      `This application mounts server folders. Ask a workspace admin to change ${changed.length === 1 ? 'this setting' : 'these settings'}: ${changed.join(', ')}.`,
    )
}

const harmless = new Set([
  'name',
  'maintenance',
  'port',
  'health',
  'memory_limit',
  'cpu_limit',
  'replicas',
  'restart',
  'stop_grace_seconds',
  'drain_seconds',
  'stop_first',
  'auto_rollback',
  'log_days',
  'log_megabytes',
  'deploy_on',
  'tags',
  'watch_paths',
  'build_memory',
  'build_cpus',
  'build_minutes',
])

async function mustFit(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  input: ApplicationUpdate,
): Promise<void> {
  if (typeof input.cpu_limit !== 'number' && !input.source) return
  const application = await getApplicationRow(ctx, actor, id)
  const server = await getServerRow(ctx, actor, application.server_id)
  assertNoProblems({ ...checkCpuLimit(server, input.cpu_limit), ...checkBuildLimits(server, input.source) })
}

async function resolveSource(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  source: ApplicationUpdate['source'],
) {
  if (!source) return undefined
  const application = await getApplicationRow(ctx, actor, id)
  const [kind, requested] = [toKind(application.source_type), toKind(source.type)]
  if (kind !== requested) throw otherKind(kind, requested)
  // Parse and cache the file before the transaction, which must not hold its locks for that long.
  if ('compose' in source)
    await checkSource(actor.workspace.id, source, (await readApplicationConfig(ctx, ctx.db, application)).env)
  if (!('repository' in source)) return undefined
  await assertWithinTokenLimit(ctx, actor, id, source)
  return { source, repository: await findRepository(ctx, actor, source) }
}

/** Another repository may belong to an application beyond the limit of the API token. */
export async function assertWithinTokenLimit(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  requested: { repository: string; integration_id: string | null },
): Promise<void> {
  if (!getTokenLimit(actor)) return
  const before = await findSource(ctx.db, actor.workspace.id, id)
  if (before?.repository !== requested.repository || before.integration_id !== requested.integration_id)
    throw forbidden(
      'API tokens limited to projects or applications cannot change the repository of an application. Use an unlimited token.',
    )
}

type Changes = Partial<Omit<ApplicationUpdate, 'source'> & Pick<ApplicationRow, 'image' | 'source_type'>>

/** Returns undefined if the file and its profiles stay the same. */
export async function changeCompose(
  ctx: Context,
  actor: Actor,
  trx: Trx,
  application: ApplicationRow,
  source: ApplicationUpdate['source'],
) {
  if (!source) return undefined
  const before = openCompose(ctx, application)
  if (!('compose' in source) || !before) return undefined
  if (before.text === source.compose && isDeepStrictEqual(before.profiles, source.profiles)) return undefined
  const { env } = await readApplicationConfig(ctx, trx, application)
  const read = await checkSource(actor.workspace.id, source, env)
  assertNoProblems(read.problems)
  const { shared } = await checkSource(
    actor.workspace.id,
    { compose: before.text, profiles: before.profiles },
    env,
  )
  assertNoNewSharedNames(actor, read.shared, shared)
  await assertUniqueAliases(trx, await getServerRow(ctx, actor, application.server_id), application, read)
  return composeColumns(ctx, application.id, source, read)
}

/** Two applications with the same network alias would receive each other’s requests. */
async function assertUniqueAliases(
  trx: Trx,
  server: ServerRow,
  application: ApplicationRow,
  { services }: ReadCompose,
): Promise<void> {
  await lockRoutes(trx, server)
  const had = await listNetworkNames(trx, application, application.id)
  const own = services.map(({ name }) => name)
  const problems = nameProblems(toNetworkNames(application.slug, own), had)
  if (problems.length > 0) assertNoProblems({ 'source.compose': problems })
}

const toKind = (type: string): Kind =>
  type === 'docker_image' ? 'single image' : type === 'github' ? 'repository' : 'compose file'

type Kind = 'single image' | 'repository' | 'compose file'

const otherKind = (kind: Kind, requested: Kind) =>
  conflict(
    'source_kind',
    `This application is deployed from a ${kind}, which cannot be changed to a ${requested}. Create another application for the ${requested.replace(/^(?:single|compose) /, '')}.`,
  )

function findChangedColumns(
  ctx: Context,
  application: ApplicationRow,
  { source, ...input }: ApplicationUpdate,
): Changes {
  const columns: Changes = {
    ...input,
    ...(source && { source_type: source.type }),
    ...(source && 'image' in source && { image: source.image }),
  }
  const before = new Map<string, unknown>(
    Object.entries({ ...application, command: openCommand(ctx, application) }),
  )
  return Object.fromEntries(
    Object.entries(columns).filter(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before.get(field)),
    ),
  )
}
