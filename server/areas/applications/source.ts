import type { Insertable, Selectable, Updateable } from 'kysely'
import type { z } from 'zod'
import type { repositorySettings } from '../../../contract/repository-fields.ts'
import type { Id } from '../../../contract/ids.ts'
import type { BuildConfig, Db, Tables } from '../../tables.ts'

/** What an application of a repository is built from, and when it deploys by itself. */
export type SourceRow = Selectable<Tables['sources']>

export const findSource = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('sources')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()

export const insertSource = (db: Db, row: Insertable<Tables['sources']>) =>
  db.insertInto('sources').values(row).execute()

export const updateSource = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  changes: Updateable<Tables['sources']>,
) =>
  db
    .updateTable('sources')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .execute()

/** What is frozen in a release. When it deploys by itself takes effect at once, and is no part of one. */
export const buildOf = (row: SourceRow): BuildConfig => ({
  integration_id: row.integration_id,
  repository_id: row.repository_id,
  repository: row.repository,
  branch: row.branch,
  folder: row.folder,
  builder: row.builder,
  dockerfile: row.dockerfile,
  generated: row.generated,
  target: row.target,
  build_args: row.build_args,
  build_secrets: row.build_secrets,
  submodules: row.submodules,
  lfs: row.lfs,
  build_memory: row.build_memory,
  build_cpus: row.build_cpus,
  build_minutes: row.build_minutes,
})

export function settingsOf(row: SourceRow): z.input<typeof repositorySettings> {
  const { repository_id: _, ...build } = buildOf(row)
  return { ...build, deploy_on: row.deploy_on, tags: row.tags, watch_paths: row.watch_paths }
}
