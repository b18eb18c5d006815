import { z } from 'zod'
import type { deployment, deploymentTypes } from '../../../../contract/deployments.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound } from '../../../errors.ts'
import type { Db, Trx } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { freezeConfig, type Release } from '../../applications/release.ts'
import { type Deployment, type DeploymentRow, findDeploymentRow } from './store.ts'
import { enqueue } from '../../../platform/jobs.ts'
import { computeRevision, readApplicationConfig } from '../../applications/config.ts'

export type { Deployment, DeploymentRow }

export type DeploymentType = (typeof deploymentTypes)[number]

export const createsRelease = (type: string) => type === 'deploy_application' || type === 'build_application'

export const isFinished = ({ status }: Pick<Deployment, 'status'>) =>
  status !== 'queued' && status !== 'running'

const isCancelling = (row: Deployment) => !isFinished(row) && row.cancel_requested_at !== null

const isCancellable = (row: Deployment) => !isFinished(row) && row.switched_at === null && !isCancelling(row)

export const presentDeployment = (
  ctx: Pick<Context, 'secrets'>,
  row: DeploymentRow,
  logs: string[] = [],
): z.input<typeof deployment> => ({
  id: row.id,
  type: row.type,
  status: row.status,
  message: row.message,
  data: { tag: row.tag, logs, dropped_lines: row.log_cut, deleted: row.log_deleted_at !== null },
  errors: openErrors(ctx, row),
  actor: { name: row.actor_name },
  target: { id: row.application_id, name: row.application_name },
  server: { id: row.server_id, name: row.server_name },
  release:
    row.release_id && row.release_number !== null ? { id: row.release_id, number: row.release_number } : null,
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

export async function getDeploymentRow(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
): Promise<DeploymentRow> {
  const row = await findDeploymentRow(db, workspaceId, id)
  if (!row) throw notFound('This deployment')
  return row
}

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

/** Concurrent deployments per server, and as many builds: builds wait long for each other. */
const deploymentsPerServer = 4

/** Builds have their own lane, so that restarts and rollbacks never wait behind one. */
const laneFor = (type: string) => (type === 'build_application' ? 'build' : 'deploy')

type QueuedDeployment = Pick<DeploymentRow, 'status' | 'ahead' | 'busy' | 'server_name' | 'type'>

function waitingFor({ status, ahead, busy, server_name, type }: QueuedDeployment): string | null {
  if (status !== 'queued') return null
  if (ahead)
    return `Waiting for “${ahead.message ?? 'the previous deployment'}”, started by ${ahead.actor_name}.`
  return (busy ?? 0) >= deploymentsPerServer
    ? `Waiting for a free slot: ${server_name} runs ${deploymentsPerServer} ${laneFor(type) === 'build' ? 'builds' : 'deployments'} at a time.`
    : 'Starting…'
}

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

export const countServices = (many: number) => `${many} ${many === 1 ? 'service' : 'services'}`

const crashWatchMs = 5 * 60_000

export const crashWatchDeadline = (ctx: Context, { type }: Pick<Deployment, 'type'>): Date | null =>
  type === 'stop_application' ? null : new Date(ctx.now().getTime() + crashWatchMs)

type Scope = Pick<Context, 'secrets'>

export const deploymentEnvSealContext = (id: string) => `deployments.env_sealed:${id}`
export const deploymentComposeSealContext = (id: string) => `deployments.compose_sealed:${id}`
const errorsSealContext = (id: string) => `deployments.errors_sealed:${id}`
/** Bound to the deployment: which step fails is known only when it is written. */
const stepErrorSealContext = (id: string) => `deployment_steps.error_sealed:${id}`

/** Seals the error and the last log lines, which may contain secrets. */
export const sealErrors = ({ secrets }: Scope, id: Deployment['id'], errors: string[]): string | null =>
  errors.length === 0 ? null : secrets.seal(errorsSealContext(id), JSON.stringify(errors))

export const openErrors = (
  { secrets }: Scope,
  { id, errors_sealed: sealed }: Pick<Deployment, 'id' | 'errors_sealed'>,
): string[] =>
  sealed === null ? [] : z.array(z.string()).parse(JSON.parse(secrets.open(errorsSealContext(id), sealed)))

export const sealStepError = ({ secrets }: Scope, id: Deployment['id'], error: string): string =>
  secrets.seal(stepErrorSealContext(id), error)

export const openStepError = ({ secrets }: Scope, id: Deployment['id'], sealed: string | null) =>
  sealed === null ? null : secrets.open(stepErrorSealContext(id), sealed)

export async function freezeConfiguration(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { id, revision }: { id: Deployment['id']; revision: string | undefined },
) {
  const configured = await readApplicationConfig(ctx, trx, application)
  const { config, env, compose } = configured
  if (revision !== undefined && revision !== computeRevision(ctx, configured))
    throw configurationChanged(application)
  return {
    build: config.build,
    columns: {
      ...freezeConfig(ctx, 'deployments', id, config),
      env_sealed: ctx.secrets.seal(deploymentEnvSealContext(id), JSON.stringify(env)),
      compose_sealed: compose && ctx.secrets.seal(deploymentComposeSealContext(id), JSON.stringify(compose)),
    },
  }
}

/** The approval covers only what the plan showed. */
const configurationChanged = ({ name }: ApplicationRow) =>
  conflict(
    'changed_since',
    `The configuration of ${name} changed since you reviewed the plan. Review the plan again.`,
  )
