import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import { type PageQuery, readPage } from '../../../platform/page.ts'
import type { TokenLimit } from '../../../route.ts'
import type { Db, Tables } from '../../../tables.ts'
import { withinLimit } from '../../api-tokens/token-limit.ts'

export type Deployment = Selectable<Tables['deployments']>
type Step = Selectable<Tables['deployment_steps']>
export type StepStatus = Step['status']

export interface DeploymentRow extends Deployment {
  application_name: string
  server_name: string
  release_number: number | null
  /** Set for queued deployments. */
  ahead: { message: string | null; actor_name: string } | null
  busy: number | null
  steps: (Pick<Step, 'name' | 'status' | 'error_sealed'> & {
    started_at: string | null
    finished_at: string | null
  })[]
}

export interface DeploymentQuery extends PageQuery {
  application_id?: Id<'application'> | undefined
  server_id?: Id<'server'> | undefined
  project_id?: Id<'project'> | undefined
  status?: Deployment['status'] | undefined
  since?: string | undefined
}

const deploymentRows = (workspaceId: Id<'workspace'>, where: RawBuilder<unknown>) => sql<DeploymentRow>`
  select d.*, a.name as application_name, s.name as server_name, r.number as release_number,
    case when d.status = 'queued' then (
      select json_build_object('message', o.message, 'actor_name', o.actor_name) from deployments o
      where o.workspace_id = d.workspace_id and o.application_id = d.application_id and o.status = 'running') end as ahead,
    case when d.status = 'queued' then (
      select count(*)::integer from jobs j
      where j.state = 'running' and j.group_name =
        case d.type when 'build_application' then 'build:' else 'deploy:' end || d.server_id) end as busy,
    (select coalesce(json_agg(json_build_object('name', t.name, 'status', t.status, 'error_sealed', t.error_sealed,
      'started_at', t.started_at, 'finished_at', t.finished_at) order by t.position), '[]')
     from deployment_steps t where t.workspace_id = d.workspace_id and t.deployment_id = d.id) as steps
  from deployments d
  join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
  join servers s on s.workspace_id = d.workspace_id and s.id = d.server_id
  left join releases r on r.workspace_id = d.workspace_id and r.id = d.release_id
  where d.workspace_id = ${workspaceId} ${where}`

export function listDeploymentRows(
  db: Db,
  workspaceId: Id<'workspace'>,
  query: DeploymentQuery,
  limit?: TokenLimit,
) {
  const ofApplication = query.application_id ? sql`and d.application_id = ${query.application_id}` : sql``
  const onServer = query.server_id ? sql`and d.server_id = ${query.server_id}` : sql``
  const inProject = query.project_id ? sql`and a.project_id = ${query.project_id}` : sql``
  const withStatus = query.status ? sql`and d.status = ${query.status}` : sql``
  const recent = query.since ? sql`and d.created_at >= ${new Date(query.since)}` : sql``
  const within = sql`and ${withinLimit(limit, 'a')}`
  const from = deploymentRows(
    workspaceId,
    sql`${ofApplication} ${onServer} ${inProject} ${withStatus} ${recent} ${within}`,
  )
  return readPage<DeploymentRow>(db, { from, order: ['id'], direction: 'desc' }, query)
}

export async function findDeploymentRow(db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) {
  const { rows } = await deploymentRows(workspaceId, sql`and d.id = ${id}`).execute(db)
  return rows[0]
}

export const lockUnfinished = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  statuses: readonly ('queued' | 'running')[] = ['queued', 'running'],
) =>
  db
    .selectFrom('deployments')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('status', 'in', statuses)
    .orderBy('id')
    .forUpdate()
    .execute()

export async function isSuccessorWaiting(
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
) {
  const { rows } = await sql`
    select 1 from deployments
    where workspace_id = ${workspaceId} and application_id = ${applicationId} and status = 'queued'
    union all
    select 1 from applications
    where workspace_id = ${workspaceId} and id = ${applicationId} and deleting_at is not null`.execute(db)
  return rows.length > 0
}

export const findDeployment = (db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) =>
  db
    .selectFrom('deployments')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockDeployment = (db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) =>
  db
    .selectFrom('deployments')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertDeployment = (db: Db, row: Insertable<Tables['deployments']>) =>
  db.insertInto('deployments').values(row).returningAll().executeTakeFirstOrThrow()

export const insertSteps = (db: Db, rows: Insertable<Tables['deployment_steps']>[]) =>
  db.insertInto('deployment_steps').values(rows).execute()

type DeploymentChanges = Omit<Updateable<Tables['deployments']>, 'id' | 'workspace_id'>

/** Erases the secrets of a finished deployment; the release keeps its own. */
export const updateDeployment = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  changes: DeploymentChanges,
) =>
  db
    .updateTable('deployments')
    .set({
      ...changes,
      ...(isFinal(changes) && { env_sealed: null, compose_sealed: null, config_sealed: null }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst()

const isFinal = ({ status }: DeploymentChanges) =>
  status !== undefined && status !== 'queued' && status !== 'running'

export const listSteps = (db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) =>
  db
    .selectFrom('deployment_steps')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('deployment_id', '=', id)
    .orderBy('position')
    .execute()

type StepChanges = Pick<Updateable<Tables['deployment_steps']>, 'status' | 'error_sealed'>

export const updateSteps = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  of: { name: Step['name'] } | { status: Step['status'] },
  changes: StepChanges,
) =>
  db
    .updateTable('deployment_steps')
    .set({
      ...changes,
      ...(changes.status === 'running'
        ? { started_at: sql<Date>`coalesce(started_at, now())` }
        : { finished_at: sql<Date>`case when started_at is not null then now() end` }),
    })
    .where('workspace_id', '=', workspaceId)
    .where('deployment_id', '=', id)
    .$if('name' in of, (query) => query.where('name', '=', 'name' in of ? of.name : 'check'))
    .$if('status' in of, (query) => query.where('status', '=', 'status' in of ? of.status : 'waiting'))
    .execute()

export const enterStep = (db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>, name: Step['name']) =>
  sql`
    update deployment_steps set
      status = case name when ${name} then 'running' else 'completed' end,
      started_at = coalesce(started_at, now()),
      finished_at = case when name <> ${name} then now() end
    where workspace_id = ${workspaceId} and deployment_id = ${id}
      and (status = 'running' or name = ${name})`.execute(db)

export async function listWithRemoteWork(
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
) {
  const rows = await db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('type', '=', 'build_application')
    .where('followed', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

export const clearRemoteWork = (db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) =>
  db
    .updateTable('deployments')
    .set({ followed: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
