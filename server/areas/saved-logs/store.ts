import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'

export type SavedLogRow = Selectable<Tables['saved_logs']>
type Chunk = Selectable<Tables['saved_log_chunks']>

/** The copy of a log is shown when its container no longer exists. Until then, the log itself is shown. */
const isShown = sql<boolean>`(saved_logs.copied_to is null or not exists (
  select from containers c where c.workspace_id = saved_logs.workspace_id and c.id = saved_logs.container_id))`

export const listSavedLogRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  query: PageQuery & { release?: number | undefined },
) =>
  readPage<SavedLogRow>(
    db,
    {
      from: sql`select * from saved_logs where workspace_id = ${workspaceId} and application_id = ${applicationId} and lines > 0 and ${isShown}
        ${query.release === undefined ? sql`` : sql`and release = ${query.release}`}`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )

export const findSavedLogRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  id: Id<'savedLog'>,
): Promise<SavedLogRow | undefined> =>
  db
    .selectFrom('saved_logs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .where('lines', '>', 0)
    .where(isShown)
    .executeTakeFirst()

export const insertSavedLog = (db: Db, log: Insertable<Tables['saved_logs']>) =>
  db.insertInto('saved_logs').values(log).execute()

export const insertChunk = (db: Db, chunk: Insertable<Tables['saved_log_chunks']>) =>
  db.insertInto('saved_log_chunks').values(chunk).execute()

export const deleteChunksBefore = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'savedLog'>,
  firstKept: number,
) =>
  db
    .deleteFrom('saved_log_chunks')
    .where('workspace_id', '=', workspaceId)
    .where('log_id', '=', id)
    .where('seq', '<', firstKept)
    .execute()

export const updateSavedLog = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'savedLog'>,
  changes: Updateable<Tables['saved_logs']>,
) =>
  db
    .updateTable('saved_logs')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

export const deleteSavedLog = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { application_id, container_id }: Pick<SavedLogRow, 'application_id' | 'container_id'>,
  onlyCopy: boolean,
) =>
  db
    .deleteFrom('saved_logs')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', application_id)
    .where('container_id', '=', container_id)
    .$if(onlyCopy, (query) => query.where('copied_to', 'is not', null))
    .execute()

/** Maximum bytes per workspace, so that one workspace cannot fill the disk of the instance. */
const maxWorkspaceBytes = 2_000_000_000

/** Deletes the oldest logs of an application, and of the workspace, until the others fit. */
export const deleteLogsOverLimit = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  maxBytes: number,
) =>
  sql`
    delete from saved_logs using (
      select id, application_id, sum(bytes) over (order by saved_at desc, id desc) as of_workspace,
        sum(bytes) over (partition by application_id order by saved_at desc, id desc) as of_application
      from saved_logs where workspace_id = ${workspaceId}) as sized
    where saved_logs.workspace_id = ${workspaceId} and saved_logs.id = sized.id and (
      sized.of_workspace > ${maxWorkspaceBytes}
      or (sized.application_id = ${applicationId} and sized.of_application > ${maxBytes}))`.execute(db)

/**
 * Returns the number of the chunk that contains the first of the last `count` lines, and how many lines of the chunk
 * precede it.
 */
export async function findTailStart(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'savedLog'>,
  count: number,
): Promise<{ seq: number; skipped: number }> {
  const { rows } = await sql<{ seq: number; skipped: number }>`
    select seq, greatest(total - ${count}, 0)::integer as skipped from (
      select seq, lines, sum(lines) over (order by seq desc) as total from saved_log_chunks
      where workspace_id = ${workspaceId} and log_id = ${id}) as counted
    where total - lines < ${count} order by seq limit 1`.execute(db)
  return rows[0] ?? { seq: 0, skipped: 0 }
}

export const findNextChunk = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'savedLog'>,
  least: { seq: number; last_at?: Date | undefined },
): Promise<Chunk | undefined> =>
  db
    .selectFrom('saved_log_chunks')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('log_id', '=', id)
    .where('seq', '>=', least.seq)
    .where('last_at', '>=', least.last_at ?? new Date(0))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

export const listChunkNumbers = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
): Promise<(Pick<SavedLogRow, 'id'> & { seq: number })[]> =>
  db
    .selectFrom('saved_logs')
    .innerJoin('saved_log_chunks', 'saved_log_chunks.log_id', 'saved_logs.id')
    .select(['saved_logs.id', 'saved_log_chunks.seq'])
    .where('saved_logs.workspace_id', '=', workspaceId)
    .where('saved_logs.application_id', '=', applicationId)
    .where('saved_logs.lines', '>', 0)
    .where(isShown)
    .orderBy('saved_log_chunks.last_at', 'desc')
    .orderBy('saved_log_chunks.seq', 'desc')
    .execute()

export interface LoggedContainer extends Pick<
  SavedLogRow,
  'workspace_id' | 'application_id' | 'deployment_id' | 'service' | 'release' | 'container_id'
> {
  log_days: number
  log_megabytes: number
  containers: number
  copy: { id: Id<'savedLog'>; copied_to: string; lines: number; bytes: number; chunks: number } | null
}

/** Lists the containers on the server whose logs are saved, with the copies of their logs. */
export async function listLoggedContainers(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
): Promise<LoggedContainer[]> {
  const { rows } = await sql<LoggedContainer>`
    select i.workspace_id, i.application_id, i.deployment_id, i.service, r.number as release, i.container_id,
      a.log_days, a.log_megabytes, (count(*) over (partition by i.application_id))::integer as containers,
      (select jsonb_build_object('id', l.id, 'copied_to', l.copied_to, 'lines', l.lines, 'bytes', l.bytes,
          'chunks', (select coalesce(max(seq) + 1, 0) from saved_log_chunks c where c.log_id = l.id))
        from saved_logs l where l.workspace_id = i.workspace_id and l.application_id = i.application_id
          and l.container_id = i.container_id and l.copied_to <> '') as copy
    from instances i
    join applications a on a.workspace_id = i.workspace_id and a.id = i.application_id
    join releases r on r.workspace_id = i.workspace_id and r.id = i.release_id
    where i.workspace_id = ${workspaceId} and i.server_id = ${serverId} and i.container_id is not null
      and i.state in ('serving', 'stopped') and a.log_days > 0 and a.deleting_at is null`.execute(db)
  return rows
}
