import { type Insertable, type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { TokenLimit } from '../../route.ts'
import type { Db, ReleaseService, Tables, Trx } from '../../tables.ts'

export type ProjectRow = Selectable<Tables['projects']>

/** API tokens limited to applications see no projects. */
const projectsWithin = (limit: TokenLimit | undefined) =>
  limit ? sql`and id = any (${'projects' in limit ? limit.projects : []})` : sql``

export const listProjectRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  query: SearchQuery,
  limit?: TokenLimit,
) =>
  readPage<ProjectRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from projects where workspace_id = ${workspaceId} and name ilike ${containsPattern(query.q ?? '')}
        ${projectsWithin(limit)}`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const findProjectRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'project'>) =>
  db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockProjectRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'project'>) =>
  db
    .selectFrom('projects')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertProject = (db: Db, row: Insertable<Tables['projects']>) =>
  db.insertInto('projects').values(row).returningAll().executeTakeFirstOrThrow()

export const deleteProjectRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'project'>) =>
  db.deleteFrom('projects').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export const listProjectApplications = (db: Db, workspaceId: Id<'workspace'>, ids: Id<'project'>[]) =>
  db
    .selectFrom('applications')
    .select(['id', 'project_id'])
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', sql<Id<'project'>>`any(${ids})`)
    .where('deleting_at', 'is', null)
    .execute()

export const listProjectServers = (db: Db, workspaceId: Id<'workspace'>, ids: Id<'project'>[]) =>
  db
    .selectFrom('project_servers as p')
    .innerJoin('servers as s', 's.id', 'p.server_id')
    .select(['p.project_id', 's.name', 's.status'])
    .where('p.workspace_id', '=', workspaceId)
    .where('p.project_id', '=', sql<Id<'project'>>`any(${ids})`)
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .execute()

export const countVariables = (db: Db, workspaceId: Id<'workspace'>, ids: Id<'project'>[]) =>
  db
    .selectFrom('project_variables')
    .select(['project_id', sql<number>`count(*)::integer`.as('count')])
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', sql<Id<'project'>>`any(${ids})`)
    .groupBy('project_id')
    .execute()

export const setProject = (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
  project_id: Id<'project'> | null,
) =>
  trx
    .updateTable('applications')
    .set({ project_id })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<Id<'application'>>`any(${[...ids]})`)
    .execute()

export const listServerIds = async (
  db: Db,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'>,
): Promise<Set<Id<'server'>>> => {
  const rows = await db
    .selectFrom('project_servers')
    .select('server_id')
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', projectId)
    .execute()
  return new Set(rows.map((row) => row.server_id))
}

export const listMapServers = (
  db: Db,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'>,
  ids: readonly Id<'server'>[],
) =>
  db
    .selectFrom('servers as s')
    .select(['s.id', 's.name', 's.status', 's.address'])
    .where('s.workspace_id', '=', workspaceId)
    .where(
      sql<boolean>`(s.id = any(${[...ids]}) or exists (select from project_servers p
        where p.workspace_id = s.workspace_id and p.server_id = s.id and p.project_id = ${projectId}))`,
    )
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .limit(200)
    .execute()

const mostVariables = 5_000
/** Longer values, such as certificates, cannot be addresses. */
const longestSealed = 8_000

export const listShortVariables = (db: Db, workspaceId: Id<'workspace'>, ids: readonly Id<'application'>[]) =>
  db
    .selectFrom('variables')
    .select(['id', 'application_id', 'key', 'value_sealed'])
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', sql<Id<'application'>>`any(${[...ids]})`)
    .where(sql<boolean>`length(value_sealed) <= ${longestSealed}`)
    .orderBy('application_id')
    .orderBy('position')
    .limit(mostVariables)
    .execute()

export const listShortProjectVariables = (db: Db, workspaceId: Id<'workspace'>, projectId: Id<'project'>) =>
  db
    .selectFrom('project_variables')
    .select(['id', 'key', 'value_sealed'])
    .where('workspace_id', '=', workspaceId)
    .where('project_id', '=', projectId)
    .where(sql<boolean>`length(value_sealed) <= ${longestSealed}`)
    .execute()

export const listPublishedPorts = (db: Db, workspaceId: Id<'workspace'>, ids: readonly Id<'application'>[]) =>
  db
    .selectFrom('published_ports')
    .select(['application_id', 'service', 'source'])
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', sql<Id<'application'>>`any(${[...ids]})`)
    .limit(mostVariables)
    .execute()

export const listReleaseServices = async (
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'release'>[],
) => {
  const { rows } = await sql<{ id: Id<'release'>; services: ReleaseService[] | null }>`
    select id, nullif(config -> 'services', 'null') as services from releases
    where workspace_id = ${workspaceId} and id = any(${[...ids]})`.execute(db)
  return new Map(rows.map(({ id, services }) => [id, services ?? []]))
}
