import { createHash } from 'node:crypto'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { z } from 'zod'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db, HiddenConfig, OpenConfig, ReleaseConfig, Tables } from '../../tables.ts'
import type { Model } from '../compose/model.ts'
import type { release } from '../../../contract/shared/release.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from './application.ts'
import type { ApplicationConfig } from './config.ts'
import { releaseTagPrefix } from '../registries/image-reference.ts'

export type Release = Selectable<Tables['releases']>

export const releaseEnvSealContext = (id: string) => `releases.env_sealed:${id}`

export const environmentPairs = z.array(z.object({ key: z.string(), value: z.string() }))

export const openReleaseEnvironment = ({ secrets }: Pick<Context, 'secrets'>, release: Release): Pair[] =>
  environmentPairs.parse(JSON.parse(secrets.open(releaseEnvSealContext(release.id), release.env_sealed)))

export const releaseComposeSealContext = (id: string) => `releases.compose_sealed:${id}`

export const composeText = z.object({ text: z.string(), profiles: z.array(z.string()) })

export interface FrozenCompose {
  text: string
  profiles: string[]
  model: Model
}

export const openReleaseCompose = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, compose_sealed: sealed }: Pick<Release, 'id' | 'compose_sealed'>,
): FrozenCompose | undefined =>
  // The cast is safe, because only this file writes the sealed value.
  sealed === null
    ? undefined
    : (JSON.parse(secrets.open(releaseComposeSealContext(id), sealed)) as FrozenCompose)

/** Releases whose images stay on the server for rollbacks without a registry. */
export const retainedReleaseCount = 10

export const releaseRepository = (id: Id<'application'>) => `${releaseTagPrefix}${id.replace('_', '-')}`

export const releaseTag = (release: Pick<Release, 'application_id' | 'number'>, service = '') =>
  `${releaseRepository(release.application_id)}:${release.number}${service === '' ? '' : `-${toImageTag(service)}`}`

/** Tags are limited to 128 characters. */
export const toImageTag = (service: string) =>
  service.length <= 80 ? service : createHash('sha256').update(service).digest('hex')

export interface ReleaseImage extends Pick<Release, 'image' | 'image_id' | 'digest'> {
  tag: string
}

export function listReleaseImages(release: Release): ReleaseImage[] {
  const { config, image, image_id, digest } = release
  return (
    config.services?.map((service) => ({
      tag: releaseTag(release, service.name),
      image: service.image,
      image_id: service.image_id,
      digest: service.digest,
    })) ?? [{ tag: releaseTag(release), image, image_id, digest }]
  )
}

export const findRelease = (db: Db, workspaceId: Id<'workspace'>, id: Id<'release'>) =>
  db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const findReleases = (db: Db, workspaceId: Id<'workspace'>, ids: readonly Id<'release'>[]) =>
  db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids.length > 0 ? [...new Set(ids)] : [null])
    .orderBy('number')
    .execute()

export const insertRelease = (db: Db, row: Insertable<Tables['releases']>): Promise<Release> =>
  db.insertInto('releases').values(row).returningAll().executeTakeFirstOrThrow()

export const updateRelease = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'release'>,
  changes: Updateable<Tables['releases']>,
) =>
  db
    .updateTable('releases')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export const listLiveReleases = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('live_at', 'is not', null)
    .orderBy('live_at', 'desc')
    .orderBy('number', 'desc')
    .execute()

/** Includes numbers of failed deployments, which are not reused. */
export async function findNextNumber(
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(number), 0) + 1 as next from (
      select number from releases where workspace_id = ${workspaceId} and application_id = ${applicationId}
      union all
      select made_number from deployments where workspace_id = ${workspaceId} and application_id = ${applicationId}
    ) as given`.execute(db)
  return rows[0]?.next ?? 1
}

export const deleteRelease = (db: Db, workspaceId: Id<'workspace'>, id: Id<'release'>) =>
  db.deleteFrom('releases').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

/** Releases that were never live cannot be rolled back to. */
export const deleteNeverLive = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .deleteFrom('releases')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('live_at', 'is', null)
    .execute()

interface Row extends Release {
  actor_name: string | null
  deploying: boolean
}

export async function listReleases(ctx: Context, actor: Actor, id: Id<'application'>, query: PageQuery) {
  const application = await getApplicationRow(ctx, actor, id)
  const { id: workspaceId } = actor.workspace
  const from = sql`select r.*, lpad(number::text, 10, '0') as place,
      (select d.actor_name from deployments d where d.workspace_id = r.workspace_id and d.id = r.deployment_id),
      exists (select from deployments d where d.workspace_id = r.workspace_id and d.release_id = r.id
        and d.status = 'running') as deploying
    from releases r where workspace_id = ${workspaceId} and application_id = ${id}`
  const { rows, page } = await readPage<Row>(ctx.db, { from, order: ['place'], direction: 'desc' }, query)
  return { releases: rows.map((row) => present(row, application.release_id)), page }
}

const present = (row: Row, current: Id<'release'> | null): z.input<typeof release> => ({
  id: row.id,
  number: row.number,
  image: row.image,
  digest: row.digest,
  image_id: row.image_id,
  services: row.config.services?.map(({ name, image, digest }) => ({ name, image, digest })) ?? null,
  commit: row.commit,
  current: row.id === current,
  deploying: row.deploying,
  image_available: row.kept,
  deployment_id: row.deployment_id,
  actor: row.actor_name === null ? null : { name: row.actor_name },
  created_at: row.created_at.toISOString(),
  live_at: row.live_at?.toISOString() ?? null,
})

type WithSecrets = Pick<Context, 'secrets'>
type Table = 'releases' | 'deployments'

const place = (table: Table, id: string) => `${table}.config_sealed:${id}`

/** Seals fields that may hold secrets; the others stay readable for SQL. */
export function freezeConfig({ secrets }: WithSecrets, table: Table, id: string, config: ReleaseConfig) {
  const { command, labels, build, ...rest } = config
  const { build_args, generated, ...open } = build ?? {}
  const hidden: HiddenConfig = { command, labels, build_args, generated }
  return {
    config: JSON.stringify({ ...rest, ...(build && { build: open }) }),
    config_sealed: secrets.seal(place(table, id), JSON.stringify(hidden)),
  }
}

export function openFrozenConfig(
  { secrets }: WithSecrets,
  table: Table,
  { id, config, config_sealed: sealed }: { id: string; config: OpenConfig; config_sealed: string | null },
): ReleaseConfig {
  // The cast is safe, because only `freezeConfig` writes the sealed value.
  const hidden: Partial<HiddenConfig> =
    sealed === null ? {} : (JSON.parse(secrets.open(place(table, id), sealed)) as HiddenConfig)
  const { command = null, labels = [], build_args = [], generated = null } = hidden
  const { build, ...rest } = config
  return { ...rest, command, labels, ...(build && { build: { ...build, build_args, generated } }) }
}

export function openReleaseConfiguration(ctx: Pick<Context, 'secrets'>, release: Release): ApplicationConfig {
  const { text, profiles } = openReleaseCompose(ctx, release) ?? {}
  return {
    config: openFrozenConfig(ctx, 'releases', release),
    env: openReleaseEnvironment(ctx, release),
    compose: text === undefined ? null : { text, profiles: profiles ?? [] },
  }
}
