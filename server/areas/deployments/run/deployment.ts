import { formatCount } from '../../../../contract/shared/format-list.ts'
import { z } from 'zod'
import type { deploymentTypes } from '../../../../contract/deployments.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import type { BuildConfig, Db, Trx, Tables } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import type { Release } from '../../applications/release.ts'
import { enqueue } from '../../../platform/jobs.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

export type Deployment = Selectable<Tables['deployments']>
type Step = Selectable<Tables['deployment_steps']>
export type StepStatus = Step['status']
export type DeploymentType = (typeof deploymentTypes)[number]

export const createsRelease = (type: string) => type === 'deploy_application' || type === 'build_application'

export const isFinished = ({ status }: Pick<Deployment, 'status'>) =>
  status !== 'queued' && status !== 'running'

export const deployAttempts = 6

type Secrets = Pick<Context, 'secrets'>
type DeploymentRef = Pick<Deployment, 'workspace_id' | 'application_id' | 'server_id' | 'id' | 'type'>

/** The key allows one job per application at a time. */
const deployJob = ({ workspace_id, application_id, id }: DeploymentRef) => ({
  kind: 'deploy',
  payload: { workspace_id, deployment_id: id },
  key: `application:${application_id}`,
  attempts: deployAttempts,
})

export const enqueueDeploy = ({ secrets }: Secrets, trx: Trx, deployment: DeploymentRef) =>
  enqueue(secrets, trx, {
    ...deployJob(deployment),
    group: { name: `${laneFor(deployment.type)}:${deployment.server_id}`, limit: deploymentsPerServer },
    lane: laneFor(deployment.type),
  })

export const enqueueDrain = ({ secrets }: Secrets, trx: Trx, deployment: DeploymentRef) =>
  enqueue(secrets, trx, { ...deployJob(deployment), lane: 'drain' })

/** Limit of concurrent deployments per server. Builds have the same limit of their own, because they wait long for each other. */
export const deploymentsPerServer = 4

/** Builds have their own queue, so that restarts and rollbacks never wait behind one. */
export const laneFor = (type: string) => (type === 'build_application' ? 'build' : 'deploy')

export function deploymentMessage(
  { image, services }: ApplicationRow,
  type: string,
  release: Release | undefined,
): string {
  const number = release ? `release ${release.number}` : ''
  if (type === 'rollback_application') return `Roll back to ${number || 'the previous release'}`
  if (type === 'restart_application') return `Restart ${number}`.trim()
  if (type === 'start_application') return `Start ${number}`.trim()
  if (type === 'stop_application') return `Stop ${number}`.trim()
  return `Deploy ${image ?? countServices(services?.length ?? 0)}`
}

export function buildMessage(
  { repository, branch }: Pick<BuildConfig, 'repository' | 'branch'>,
  commit: Deployment['commit'],
): string {
  if (!commit) return `Build ${repository} at ${branch}`
  const summary = commit.message === '' ? '' : `: ${commit.message}`
  return `Build ${repository} at ${commit.sha.slice(0, 7)}${summary}`
}

export const countServices = (count: number) => formatCount(count, 'service')

const crashWatchMs = 5 * 60_000

export const crashWatchDeadline = (ctx: Context, { type }: Pick<Deployment, 'type'>): Date | null =>
  type === 'stop_application' ? null : new Date(ctx.now().getTime() + crashWatchMs)

export const deploymentEnvSealContext = (id: string) => `deployments.env_sealed:${id}`
export const deploymentComposeSealContext = (id: string) => `deployments.compose_sealed:${id}`
const errorsSealContext = (id: string) => `deployments.errors_sealed:${id}`
/** Binds the error to the deployment instead of the step, because the failing step is not known when it is sealed. */
const stepErrorSealContext = (id: string) => `deployment_steps.error_sealed:${id}`

/** Seals the error and the last log lines, which may contain secrets. */
export const sealErrors = ({ secrets }: Secrets, id: Deployment['id'], errors: string[]): string | null =>
  errors.length === 0 ? null : secrets.seal(errorsSealContext(id), JSON.stringify(errors))

export const openErrors = (
  { secrets }: Secrets,
  { id, errors_sealed: sealed }: Pick<Deployment, 'id' | 'errors_sealed'>,
): string[] =>
  sealed === null ? [] : z.array(z.string()).parse(JSON.parse(secrets.open(errorsSealContext(id), sealed)))

export const sealStepError = ({ secrets }: Secrets, id: Deployment['id'], error: string): string =>
  secrets.seal(stepErrorSealContext(id), error)

export const openStepError = ({ secrets }: Secrets, id: Deployment['id'], sealed: string | null) =>
  sealed === null ? null : secrets.open(stepErrorSealContext(id), sealed)

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

/** Adds the setup of the server before the check, which starts over afterwards. */
export async function enterSetupStep(db: Db, workspaceId: Id<'workspace'>, id: Id<'deployment'>) {
  const entered = { status: 'running', started_at: sql<Date>`now()`, finished_at: null } as const
  await db
    .insertInto('deployment_steps')
    .values({ workspace_id: workspaceId, deployment_id: id, position: -1, name: 'setup', ...entered })
    .onConflict((existing) =>
      existing.columns(['deployment_id', 'name']).doUpdateSet({ status: 'running', finished_at: null }),
    )
    .execute()
  await db
    .updateTable('deployment_steps')
    .set({ status: 'waiting', started_at: null, finished_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('deployment_id', '=', id)
    .where('name', '=', 'check')
    .execute()
}
