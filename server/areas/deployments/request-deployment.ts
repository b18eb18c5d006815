import {
  buildMessage,
  createsRelease,
  type Deployment,
  deploymentMessage,
  type DeploymentType,
  enqueueDeploy,
  insertDeployment,
  insertSteps,
  lockUnfinished,
  updateDeployment,
  updateSteps,
} from './run/deployment.ts'
import { freezeConfiguration } from './run/release-run.ts'
import type { stepNames } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, forbidden, notFound } from '../../errors.ts'
import { emit, type Initiator, isExternalInitiator, nudge, toActorColumns } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { cancelJob } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import {
  type ApplicationRow,
  getApplicationRow,
  lockApplication,
  applicationTarget,
} from '../applications/application.ts'
import { expectedRelease, getRollbackRelease } from './run/choose-release.ts'
import type { Actor } from '../../route.ts'
import { readApplicationConfig } from '../applications/config.ts'
import { assertNoSharedNames } from '../applications/compose-token-limit.ts'
import { getServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import { openReleaseConfiguration } from '../applications/release.ts'
import { findHostAccessRefusal } from '../applications/host-access.ts'

export interface DeploymentRequest {
  type: DeploymentType
  /** Release to roll back to; defaults to the previous one when the deployment starts. */
  release?: Id<'release'> | undefined
  /** Whether the initiator approves host access that the live release does not have. */
  allowHostAccess?: boolean
  /** Revision of the reviewed plan; the request is refused if the configuration changed since. */
  revision?: string | undefined
  commit?: NonNullable<Deployment['commit']> | undefined
  rebuild?: boolean | undefined
}

export async function requestDeployment(
  ctx: Context,
  initiator: Initiator,
  { workspace_id: workspaceId, id }: Pick<ApplicationRow, 'workspace_id' | 'id'>,
  request: DeploymentRequest,
  also?: (trx: Trx, id: Id<'deployment'>) => Promise<void>,
) {
  return transaction(ctx.db, async (trx) => {
    const application = await lockApplication(trx, workspaceId, id)
    if (!application) throw notFound('This application')
    if (application.deleting_at)
      throw conflict('being_deleted', `The application ${application.name} is being deleted.`)
    if (isExternalInitiator(initiator)) await assertNotStopped(trx, application)
    const row = await createDeployment(ctx, trx, initiator, application, request)
    await also?.(trx, row.id)
    return row
  })
}

/** Expects the application to be locked. */
export async function createDeployment(
  ctx: Context,
  trx: Trx,
  initiator: Initiator,
  application: ApplicationRow,
  request: DeploymentRequest,
) {
  const { workspace_id, id: application_id, server_id } = application
  const type = typeFor(application, request)
  const isNew = createsRelease(type)
  const release = isNew ? undefined : await expectedRelease(trx, application, request)
  if (isNew) assertHasSource(application)
  const id = newId('deployment')
  const frozen = isNew
    ? await freezeConfiguration(ctx, trx, application, { id, revision: request.revision })
    : undefined
  const message = frozen?.build
    ? buildMessage(frozen.build, request.commit ?? null)
    : deploymentMessage(application, type, release)
  await supersede(trx, initiator, application, message)
  const row = await insertDeployment(trx, {
    id,
    workspace_id,
    application_id,
    server_id,
    type,
    status: 'queued',
    message,
    tag: isNew ? application.image : release?.image || null,
    // Without an explicit release, the current one may differ when the deployment starts.
    release_id: request.release ?? null,
    ...frozen?.columns,
    commit: request.commit ? JSON.stringify(request.commit) : null,
    rebuild: request.rebuild ?? false,
    allow_host_access: request.allowHostAccess ?? false,
    ...toActorColumns(initiator),
    job_id: await enqueueDeploy(ctx, trx, { workspace_id, application_id, server_id, id, type }),
  })
  await insertSteps(
    trx,
    stepsFor(type).map((name, position) => ({
      workspace_id,
      deployment_id: id,
      position,
      name,
      status: 'waiting' as const,
    })),
  )
  await emit(
    trx,
    initiator,
    workspace_id,
    'deployment.queued',
    { ...applicationTarget(application), about: id },
    message,
  )
  await nudge(trx, workspace_id, 'deployment.changed', application_id)
  return row
}

const typeFor = ({ source_type }: ApplicationRow, { type }: DeploymentRequest): DeploymentType =>
  createsRelease(type) ? (source_type === 'github' ? 'build_application' : 'deploy_application') : type

/** A stop only removes the containers from the proxy and drains them. */
const stepsFor = (type: DeploymentType): (typeof stepNames)[number][] =>
  type === 'stop_application'
    ? ['switch', 'drain']
    : ['check', 'fetch', ...buildSteps(type), 'start', 'wait', 'switch', 'drain', 'prune']

const buildSteps = (type: DeploymentType) => (type === 'build_application' ? (['build'] as const) : [])

function assertHasSource({ name, source_type, image, compose_sealed }: ApplicationRow): void {
  if (source_type !== 'github' && image === null && compose_sealed === null)
    throw conflict('no_image', `The application ${name} has no image to deploy. Set one in its settings.`)
}

async function assertNotStopped(trx: Trx, { workspace_id, id, name, wanted }: ApplicationRow): Promise<void> {
  const unfinished = await lockUnfinished(trx, workspace_id, id)
  // A queued start or deployment counts as started.
  const last = unfinished.findLast(({ cancel_requested_at }) => cancel_requested_at === null)
  const type = last?.type ?? (wanted === 'stopped' ? 'stop_application' : undefined)
  if (type === 'stop_application')
    throw conflict(
      'stays_stopped',
      `${name} is stopped, so it was not deployed. Start or deploy it to resume automatic deployments.`,
    )
}

/**
 * Coalesces pushes and requests: a new deployment replaces queued ones. A push or hook does not replace an operation
 * that a user requested.
 */
async function supersede(
  trx: Trx,
  initiator: Initiator,
  application: ApplicationRow,
  message: string,
): Promise<void> {
  const { workspace_id, id } = application
  for (const queued of await lockUnfinished(trx, workspace_id, id, ['queued'])) {
    if (isExternalInitiator(initiator) && !createsRelease(queued.type)) continue
    await updateSteps(trx, workspace_id, queued.id, { status: 'waiting' }, { status: 'skipped' })
    await updateDeployment(trx, workspace_id, queued.id, {
      status: 'cancelled',
      message: `${queued.message ?? ''} (replaced by: ${message})`,
      finished_at: new Date(),
    })
    if (queued.job_id) await cancelJob(trx, queued.job_id)
    await emit(
      trx,
      initiator,
      workspace_id,
      'deployment.cancelled',
      { ...applicationTarget(application), about: queued.id },
      [queued.message, `replaced by: ${message}`].filter(Boolean).join(', '),
    )
  }
}

type DeployOptions = Pick<DeploymentRequest, 'revision' | 'rebuild'>

export async function deployConfigured(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  options: DeployOptions,
) {
  const application = await getApplicationRow(ctx, actor, id)
  const asRoot = canActAsRoot(actor, await getServerRow(ctx, actor, application.server_id))
  // Without a revision the caller has not reviewed the plan, and another member may have changed the configuration.
  const allowHostAccess = asRoot && options.revision !== undefined
  if (!allowHostAccess) await assertHostAccessApproved(ctx, application)
  const request = { type: 'deploy_application', allowHostAccess, ...options } as const
  return requestDeployment(ctx, actor, application, request, async (trx) => {
    if (application.compose_sealed !== null)
      await assertNoSharedNames({ ...ctx, db: trx }, actor, application)
  })
}

/** The deployment checks this again; checking here gives the caller an immediate error. */
export async function assertHostAccessApproved(
  ctx: Context,
  application: ApplicationRow,
  releaseId?: Id<'release'>,
): Promise<void> {
  if (application.compose_sealed !== null) return
  const release = releaseId && (await getRollbackRelease(ctx.db, application, releaseId))
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : await readApplicationConfig(ctx, ctx.db, application)
  const refusal = await findHostAccessRefusal(ctx, ctx.db, application, next, release !== undefined)
  if (refusal !== undefined) throw forbidden(refusal)
}

type Operation = 'restart_application' | 'stop_application' | 'start_application'

export async function operate(ctx: Context, actor: Actor, id: Id<'application'>, type: Operation) {
  return requestDeployment(ctx, actor, await getApplicationRow(ctx, actor, id), { type })
}
