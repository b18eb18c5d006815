import { type RawBuilder, type Selectable, sql } from 'kysely'
import { containerStates } from '../../../contract/containers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'
import type { Container } from './container.ts'
import type { ContainerMetrics } from './container-metrics.ts'
import { containersAreLive } from './live.ts'

export type ContainerRow = Selectable<Tables['containers']>

export const findLiveServer = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('servers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', serverId)
    .where(containersAreLive('servers'))
    .executeTakeFirst()

/** Verifies the label of a container: anybody can set one. */
export const findOwningApplication = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  applicationId: string | null,
) =>
  db
    .selectFrom('applications')
    .select(['id', 'name', 'slug'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where(sql<boolean>`id = ${applicationId}`)
    .where('deleting_at', 'is', null)
    .executeTakeFirst()

export const listOwningApplicationIds = async (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
) =>
  (
    await db
      .selectFrom('applications')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('server_id', '=', serverId)
      .where('deleting_at', 'is', null)
      .execute()
  ).map(({ id }) => id)

export async function setContainersLive(
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, watcher }: Pick<Selectable<Tables['servers']>, 'id' | 'watcher'>,
  containers_live: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('servers')
    .set({ containers_live })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('watcher', '=', watcher)
    .where('watched_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const ofServer = (workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  sql`workspace_id = ${workspaceId} and server_id = ${serverId}`

const selectFromList = (workspaceId: Id<'workspace'>, serverId: Id<'server'>, containers: Container[]) => {
  const rows = containers.map((container) => ({
    ...container,
    workspace_id: workspaceId,
    server_id: serverId,
    revision: 1,
  }))
  return sql`select * from jsonb_populate_recordset(null::containers, ${JSON.stringify(rows)}::jsonb)`
}

export const listContainerRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  query: SearchQuery,
) => readContainers(db, sql`select * from containers where ${ofServer(workspaceId, serverId)}`, query)

export const pageContainers = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  containers: Container[],
  query: SearchQuery,
) => readContainers(db, selectFromList(workspaceId, serverId, containers), query)

function readContainers(db: Db, from: RawBuilder<unknown>, query: SearchQuery) {
  return readPage<ContainerRow>(
    db,
    {
      from: sql`
        select *, case when ${unhealthy} then '0'
          else array_position(${[...containerStates]}::text[], state)::text end as urgency, lower(name) as sorted
        from (${from}) as found ${query.q ? holding(query.q) : sql``}`,
      order: ['urgency', 'sorted', 'id'],
      direction: 'asc',
    },
    query,
  )
}

/** Docker also reports exited containers as unhealthy. */
const unhealthy = sql`health = 'unhealthy' and state in ('running', 'paused')`

/** Matches ids by prefix only: short texts occur in every id. */
function holding(q: string) {
  const text = containsPattern(q)
  return sql`where name ilike ${text} or image ilike ${text} or project ilike ${text} or id ilike ${text.slice(1)}`
}

export const findContainerRow = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>, id: string) =>
  db
    .selectFrom('containers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('id', '=', id)
    .executeTakeFirst()

export const listApplicationContainerRows = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  applicationId: Id<'application'>,
) =>
  db
    .selectFrom('containers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('application_id', '=', applicationId)
    .execute()

const columns = [
  'name',
  'image',
  'image_id',
  'state',
  'health',
  'exit_code',
  'restarts',
  'ports',
  'project',
  'service',
  'created_at',
  'started_at',
  'finished_at',
  'application_id',
  'instance_id',
] as const

const sameRun = sql`excluded.state = 'running' and excluded.started_at is not distinct from containers.started_at`

/** Keeps metrics only while the same run of the container continues. */
const replaced = sql.join([
  ...columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
  ...['cpu', 'memory_used', 'memory_limit'].map(
    (name) => sql`${sql.ref(name)} = case when ${sameRun} then ${sql.ref(`containers.${name}`)} end`,
  ),
  sql`revision = containers.revision + 1`,
])

export async function replaceContainers(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  containers: Container[],
): Promise<void> {
  await sql`
    delete from containers where ${ofServer(workspaceId, serverId)}
      and not id = any (${containers.map(({ id }) => id)})`.execute(db)
  await sql`
    insert into containers ${selectFromList(workspaceId, serverId, containers)}
    on conflict (server_id, id) do update set ${replaced}`.execute(db)
}

/** Returns undefined when the row has another revision, because what was read may be older. */
export async function upsertContainer(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  container: Container,
  revision: number | null,
): Promise<ContainerRow | undefined> {
  const { rows } = await sql<ContainerRow>`
    insert into containers
    select * from (${selectFromList(workspaceId, serverId, [container])}) as given
    where ${revision}::integer is null or exists (
      select from containers c
      where c.server_id = given.server_id and c.id = given.id and c.revision = ${revision}
    )
    on conflict (server_id, id) do update set ${replaced}
    where containers.revision = ${revision}
    returning *`.execute(db)
  return rows[0]
}

export const deleteContainerRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  id: string,
) => sql`delete from containers where ${ofServer(workspaceId, serverId)} and id = ${id}`.execute(db)

export const listRunningContainerIds = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('containers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('state', '=', 'running')
    .execute()

export const listContainerNameRows = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('containers')
    .select(['id', 'name', 'image_id'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .execute()

export async function updateContainerMetrics(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  figures: readonly ContainerMetrics[],
): Promise<void> {
  await sql`
    update containers set cpu = given.cpu, memory_used = given.memory_used, memory_limit = given.memory_limit
    from containers as known left join unnest(${figures.map(({ id }) => id)}::text[], ${figures.map(({ cpu }) => cpu)}::real[],
      ${figures.map(({ memory_used }) => memory_used)}::bigint[],
      ${figures.map(({ memory_limit }) => memory_limit)}::bigint[]
    ) as given (id, cpu, memory_used, memory_limit) on given.id = known.id
    where containers.workspace_id = ${workspaceId} and containers.server_id = ${serverId}
      and known.server_id = containers.server_id and known.id = containers.id
      and containers.state = 'running' and (given.id is not null or containers.cpu is not null)`.execute(db)
}
