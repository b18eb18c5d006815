import { createHash } from 'node:crypto'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { z } from 'zod'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../tables.ts'
import type { Model } from '../compose/model.ts'
import { keptUnder } from '../images/kept.ts'

/** An image by its id, with a frozen configuration. */
export type Release = Selectable<Tables['releases']>

/** The environment of a release is sealed for its row. */
export const releaseEnvPlace = (id: string) => `releases.env_sealed:${id}`

export const environmentPairs = z.array(z.object({ key: z.string(), value: z.string() }))

/** Its variables, with their values. */
export const environmentOf = ({ secrets }: Pick<Context, 'secrets'>, release: Release): Pair[] =>
  environmentPairs.parse(JSON.parse(secrets.open(releaseEnvPlace(release.id), release.env_sealed)))

/** So is the compose file that it was made of. */
export const releaseComposePlace = (id: string) => `releases.compose_sealed:${id}`

/** A compose file as it was written. */
export const composeText = z.object({ text: z.string(), profiles: z.array(z.string()) })

/** The same, and as it was read on the server. */
export interface FrozenCompose {
  text: string
  profiles: string[]
  model: Model
}

export const composeOf = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, compose_sealed: sealed }: Pick<Release, 'id' | 'compose_sealed'>,
): FrozenCompose | undefined =>
  // What we sealed ourselves is what we wrote.
  sealed === null ? undefined : (JSON.parse(secrets.open(releaseComposePlace(id), sealed)) as FrozenCompose)

/** How many are kept on the server, so that one can go back to them without a registry. */
export const keptReleases = 10

/** The names under which the images of an application's releases stay on its server. */
export const releaseRepository = (id: Id<'application'>) => `${keptUnder}${id.replace('_', '-')}`

/** Of a compose file each service has one of its own. */
export const releaseTag = (release: Pick<Release, 'application_id' | 'number'>, service = '') =>
  `${releaseRepository(release.application_id)}:${release.number}${service === '' ? '' : `-${asTag(service)}`}`

/** A tag has at most 128 characters. */
export const asTag = (service: string) =>
  service.length <= 80 ? service : createHash('sha256').update(service).digest('hex')

/** An image of a release, and the name under which it stays on the server. */
export interface ReleaseImage extends Pick<Release, 'image' | 'image_id' | 'digest'> {
  tag: string
}

export function imagesOf(release: Release): ReleaseImage[] {
  const { config, image, image_id, digest } = release
  return (
    config.services?.map((one) => ({
      tag: releaseTag(release, one.name),
      image: one.image,
      image_id: one.image_id,
      digest: one.digest,
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

/** Of these ids those that are there, the oldest first. */
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

/** Those that took the traffic, whoever did so last first. */
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

/** Releases of an application are counted; the number of one that came to nothing stays with its deployment. */
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

/** Those that never took the traffic: nothing to go back to. */
export const deleteNeverLive = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .deleteFrom('releases')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('live_at', 'is', null)
    .execute()
