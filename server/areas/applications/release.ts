import type { Insertable, Selectable, Updateable } from 'kysely'
import { z } from 'zod'
import type { Pair } from '../../../contract/entries.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../tables.ts'
import { keptUnder } from '../images/kept.ts'

/** An image by its id, with a frozen configuration. */
export type Release = Selectable<Tables['releases']>

/** The environment of a release is sealed for its row. */
export const releaseEnvPlace = (id: string) => `releases.env_sealed:${id}`

const pairs = z.array(z.object({ key: z.string(), value: z.string() }))

/** Its variables, with their values. */
export const environmentOf = ({ secrets }: Pick<Context, 'secrets'>, release: Release): Pair[] =>
  pairs.parse(JSON.parse(secrets.open(releaseEnvPlace(release.id), release.env_sealed)))

/** How many are kept on the server, so that one can go back to them without a registry. */
export const keptReleases = 10

/** The names under which the images of an application's releases stay on its server. */
export const releaseRepository = (id: Id<'application'>) => `${keptUnder}${id.replace('_', '-')}`

export const releaseTag = (release: Pick<Release, 'application_id' | 'number'>) =>
  `${releaseRepository(release.application_id)}:${release.number}`

export const findRelease = (db: Db, workspaceId: Id<'workspace'>, id: Id<'release'>) =>
  db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

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

/** Releases of an application are counted; one that never took the traffic gives its number back. */
export async function findNextNumber(
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
): Promise<number> {
  const last = await db
    .selectFrom('releases')
    .select('number')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (last?.number ?? 0) + 1
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
