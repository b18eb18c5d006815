import type { Insertable, Selectable } from 'kysely'
import type { z } from 'zod'
import type { repositorySettings } from '../../../contract/shared/repository-fields.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { BuildConfig, Db, Tables } from '../../tables.ts'
import type { ServerRow } from '../servers/server.ts'

export type SourceRow = Selectable<Tables['sources']>

type WithSecrets = Pick<Context, 'secrets'>

export const findSource = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('sources')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()

export const updateSource = (
  ctx: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  source: BuildConfig & Partial<Triggers>,
) =>
  db
    .updateTable('sources')
    .set(sourceColumns(ctx, applicationId, source))
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .execute()

type Triggers = Pick<SourceRow, 'deploy_on' | 'tags' | 'watch_paths'>

export function sourceColumns<Source extends BuildConfig>(
  ctx: WithSecrets,
  id: Id<'application'>,
  { build_args, generated, ...open }: Source,
) {
  return { ...open, ...hiddenColumns(ctx, id, { build_args, generated }) }
}

export const insertSource = (db: Db, row: Insertable<Tables['sources']>) =>
  db.insertInto('sources').values(row).execute()

type Hidden = Pick<BuildConfig, 'build_args' | 'generated'>

const place = (column: 'build_args_sealed' | 'generated_sealed', id: Id<'application'>) =>
  `sources.${column}:${id}`

/** Build arguments and edited Dockerfiles may hold secrets, so they are sealed for their row. */
export const hiddenColumns = (
  { secrets }: WithSecrets,
  id: Id<'application'>,
  { build_args: args, generated }: Hidden,
) => ({
  build_args_sealed:
    args.length === 0 ? null : secrets.seal(place('build_args_sealed', id), JSON.stringify(args)),
  generated_sealed: generated === null ? null : secrets.seal(place('generated_sealed', id), generated),
})

function openHidden({ secrets }: WithSecrets, row: SourceRow): Hidden {
  const { application_id: id, build_args_sealed: args, generated_sealed: generated } = row
  return {
    // The cast is safe, because only this file writes the sealed value.
    build_args:
      args === null
        ? []
        : (JSON.parse(secrets.open(place('build_args_sealed', id), args)) as Hidden['build_args']),
    generated: generated === null ? null : secrets.open(place('generated_sealed', id), generated),
  }
}

/** The part frozen in a release. Trigger settings apply immediately and are not part of it. */
export const toBuildConfig = (ctx: WithSecrets, row: SourceRow): BuildConfig => ({
  integration_id: row.integration_id,
  repository_id: row.repository_id,
  repository: row.repository,
  branch: row.branch,
  folder: row.folder,
  builder: row.builder,
  dockerfile: row.dockerfile,
  ...openHidden(ctx, row),
  target: row.target,
  build_secrets: row.build_secrets,
  submodules: row.submodules,
  lfs: row.lfs,
  build_memory: row.build_memory,
  build_cpus: row.build_cpus,
  build_minutes: row.build_minutes,
})

export function toRepositorySettings(ctx: WithSecrets, row: SourceRow): z.input<typeof repositorySettings> {
  const { repository_id: _, ...build } = toBuildConfig(ctx, row)
  return { ...build, deploy_on: row.deploy_on, tags: row.tags, watch_paths: row.watch_paths }
}

/** GitHub identifies repositories by ID, so a renamed repository stays the same. */
export const renameRepository = (db: Db, workspaceId: Id<'workspace'>, repositoryId: number, name: string) =>
  db
    .updateTable('sources')
    .set({ repository: name })
    .where('workspace_id', '=', workspaceId)
    .where('repository_id', '=', repositoryId)
    .where('repository', '<>', name)
    .execute()

const mebibyte = 1024 ** 2
/** Builds leave this much memory to running applications, and by default a quarter of the server. */
const reservedMemory = 512 * mebibyte
const share = 0.75

export interface BuildLimits {
  memory: number
  cpus: number
  processes: number
  minutes: number
}

type Size = Pick<ServerRow, 'memory_bytes' | 'cpus'>
type BuildLimitSettings = Pick<BuildConfig, 'build_memory' | 'build_cpus' | 'build_minutes'>

/** Caps configured limits at the size of the server; the default leaves room for running applications. */
export const buildLimits = ({ memory_bytes, cpus }: Size, build: BuildLimitSettings): BuildLimits => ({
  memory: Math.min(
    build.build_memory ?? memoryFor(memory_bytes ?? 2 * reservedMemory),
    memory_bytes === null ? Infinity : maxBuildMemory(memory_bytes),
  ),
  cpus: Math.min(build.build_cpus ?? Math.max(1, (cpus ?? 1) * share), cpus ?? Infinity),
  processes: 4096,
  minutes: build.build_minutes,
})

export const maxBuildMemory = (total: number) => Math.max(reservedMemory, total - reservedMemory)

const memoryFor = (total: number) =>
  Math.floor(Math.max(reservedMemory, Math.min(total * share, total - reservedMemory)) / mebibyte) * mebibyte
