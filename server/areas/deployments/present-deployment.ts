import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { deployment, deploymentStatuses } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type PageQuery, readPage } from '../../platform/pagination.ts'
import type { TokenLimit } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import { withinLimit } from '../api-tokens/token-limit.ts'
import {
  type Deployment,
  deploymentsPerServer,
  isFinished,
  laneFor,
  openErrors,
  openStepError,
} from './run/deployment.ts'

type Step = Selectable<Tables['deployment_steps']>

export interface DeploymentRow extends Deployment {
  application_name: string
  server_name: string
  release_number: number | null
  is_first_release: boolean
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
  status?: (typeof deploymentStatuses)[number] | undefined
  since?: string | undefined
  until?: string | undefined
}

const isCancelling = (row: Deployment) => !isFinished(row) && row.cancel_requested_at !== null

const isCancellable = (row: Deployment) => !isFinished(row) && row.switched_at === null && !isCancelling(row)

export const presentDeployment = (
  ctx: Pick<Context, 'secrets'>,
  row: DeploymentRow,
  logs: string[] = [],
): z.input<typeof deployment> => ({
  id: row.id,
  type: row.type,
  status: row.status === 'completed' && row.crashed_at ? 'crashed' : row.status,
  message: row.message,
  data: { tag: row.tag, logs, dropped_lines: row.log_cut, deleted: row.log_deleted_at !== null },
  errors: openErrors(ctx, row),
  actor: { name: row.actor_name },
  target: { id: row.application_id, name: row.application_name },
  server: { id: row.server_id, name: row.server_name },
  release:
    row.release_id && row.release_number !== null
      ? { id: row.release_id, number: row.release_number, first: row.is_first_release }
      : null,
  commit: row.commit,
  steps: row.steps.map(({ name, status, error_sealed, started_at, finished_at }) => ({
    name,
    status,
    error: openStepError(ctx, row.id, error_sealed),
    started_at: toIsoTime(started_at),
    finished_at: toIsoTime(finished_at),
  })),
  plan: row.plan?.some(({ service }) => service !== '')
    ? row.plan.map(({ service, action, reasons }) => ({ service, action, reasons }))
    : null,
  waiting_for: waitingFor(row),
  cancellable: isCancellable(row),
  cancelling: isCancelling(row),
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
})

const toIsoTime = (written: string | null) => (written === null ? null : new Date(written).toISOString())

type QueuedDeployment = Pick<DeploymentRow, 'status' | 'ahead' | 'busy' | 'server_name' | 'type'>

function waitingFor({ status, ahead, busy, server_name, type }: QueuedDeployment): string | null {
  if (status !== 'queued') return null
  if (ahead)
    return `Waiting for “${ahead.message ?? 'the previous deployment'}”, started by ${ahead.actor_name}.`
  return (busy ?? 0) >= deploymentsPerServer
    ? `Waiting for a free slot: ${server_name} runs ${deploymentsPerServer} ${laneFor(type) === 'build' ? 'builds' : 'deployments'} at a time.`
    : 'Starting…'
}

const deploymentRows = (workspaceId: Id<'workspace'>, where: RawBuilder<unknown>) => sql<DeploymentRow>`
  select d.*, a.name as application_name, s.name as server_name, r.number as release_number,
    not exists (select from releases e where e.workspace_id = d.workspace_id and e.application_id = d.application_id
      and e.number < r.number and e.live_at is not null) as is_first_release,
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

const shownStatus = sql`case when d.status = 'completed' and d.crashed_at is not null then 'crashed' else d.status end`

export function listDeploymentRows(
  db: Db,
  workspaceId: Id<'workspace'>,
  query: DeploymentQuery,
  limit?: TokenLimit,
) {
  const ofApplication = query.application_id ? sql`and d.application_id = ${query.application_id}` : sql``
  const onServer = query.server_id ? sql`and d.server_id = ${query.server_id}` : sql``
  const inProject = query.project_id ? sql`and a.project_id = ${query.project_id}` : sql``
  const withStatus = query.status ? sql`and ${shownStatus} = ${query.status}` : sql``
  const recent = query.since ? sql`and d.created_at >= ${new Date(query.since)}` : sql``
  const earlier = query.until ? sql`and d.created_at < ${new Date(query.until)}` : sql``
  const within = sql`and ${withinLimit(limit, 'a')}`
  const from = deploymentRows(
    workspaceId,
    sql`${ofApplication} ${onServer} ${inProject} ${withStatus} ${recent} ${earlier} ${within}`,
  )
  return readPage<DeploymentRow>(db, { from, order: ['id'], direction: 'desc' }, query)
}

export async function findDeploymentRow(db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) {
  const { rows } = await deploymentRows(workspaceId, sql`and d.id = ${id}`).execute(db)
  return rows[0]
}

export const showDeployment = async (
  ctx: Pick<Context, 'db' | 'secrets'>,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
) => presentDeployment(ctx, await getDeploymentRow(ctx.db, workspaceId, id))

export async function getDeploymentRow(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
): Promise<DeploymentRow> {
  const row = await findDeploymentRow(db, workspaceId, id)
  if (!row) throw notFound('This deployment')
  return row
}
