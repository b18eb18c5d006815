import { formatDuration } from '../../../../contract/shared/duration.ts'
import type { Context } from '../../../context.ts'
import { emit, nudge } from '../../../events.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, applicationTarget } from '../../applications/application.ts'
import { listInstances } from '../../applications/instance.ts'
import { requestProxySync } from '../../servers/proxy-sync.ts'
import { createRedactor } from '../../applications/redactor.ts'
import { type DeploymentRun, reloadDeployment, writeWithLease } from './deployment-run.ts'
import {
  crashWatchDeadline,
  type Deployment,
  sealErrors,
  sealStepError,
  updateDeployment,
  updateSteps,
} from './deployment.ts'
import { deploymentSources } from './redact.ts'

export async function completeDeployment(run: DeploymentRun): Promise<void> {
  const { ctx, deployment, log } = run
  const took = Date.now() - (deployment.started_at?.getTime() ?? 0)
  log.write(`Deployment completed in ${formatDuration(took)}`)
  await log.flush()
  await writeWithLease(run, async (trx) => {
    await updateSteps(
      trx,
      deployment.workspace_id,
      deployment.id,
      { status: 'running' },
      { status: 'completed' },
    )
    await saveOutcome(trx, run, { status: 'completed', finished_at: ctx.now() })
    await emitOutcome(trx, run, 'deployment.completed', deployment.message ?? undefined)
  })
}

export async function finishFailed(run: DeploymentRun, errors: string[], isUndone: boolean): Promise<void> {
  const { ctx, application, log } = run
  const deployment = await reloadDeployment(run)
  log.write(`Deployment failed: ${errors[0] ?? ''}`)
  const isTouched = deployment.plan?.some(({ action }) => action === 'recreated')
  const all = isUndone ? [] : await listInstances(ctx.db, deployment.workspace_id, application.id)
  if (all.some(({ state }) => state === 'held'))
    log.write(
      'The previous containers are still stopped. Slipway starts them again as soon as the server is reachable.',
    )
  else if (application.release_id && application.wanted === 'running')
    log.write(isTouched ? 'The previous release is live again.' : 'The previous release is still live.')
  await log.flush()
  // Events are stored unencrypted and visible to viewers, so secrets are masked.
  const redact = await createRedactor(ctx, deployment.workspace_id, deploymentSources(ctx, deployment))
  await writeWithLease(run, async (trx) => {
    await skipPendingSteps(trx, deployment)
    await saveOutcome(trx, run, { status: 'failed', finished_at: new Date() })
    await emitOutcome(
      trx,
      run,
      'deployment.failed',
      `${deployment.message ?? ''}: ${redact(errors[0] ?? '')}`,
    )
  })
}

/** Emits no event: the cancel request already did. */
export async function finishCanceled(run: DeploymentRun): Promise<void> {
  const { deployment, log } = run
  log.write('Deployment canceled. All changes were reverted.')
  await log.flush()
  await writeWithLease(run, async (trx) => {
    await updateSteps(
      trx,
      deployment.workspace_id,
      deployment.id,
      { status: 'running' },
      { status: 'undone' },
    )
    await skipPendingSteps(trx, deployment)
    await saveOutcome(trx, run, { status: 'cancelled', finished_at: new Date() })
  })
}

const skipPendingSteps = (trx: Trx, { workspace_id, id }: Deployment) =>
  updateSteps(trx, workspace_id, id, { status: 'waiting' }, { status: 'skipped' })

async function saveOutcome(
  trx: Trx,
  { deployment: { workspace_id, application_id, id } }: Pick<DeploymentRun, 'deployment'>,
  changes: Parameters<typeof updateDeployment>[3],
): Promise<void> {
  await updateDeployment(trx, workspace_id, id, changes)
  await nudge(trx, workspace_id, 'deployment.changed', application_id)
  await nudge(trx, workspace_id, 'application.changed', application_id)
}

const emitOutcome = (
  trx: Trx,
  { application, deployment }: { application: ApplicationRow; deployment: Pick<Deployment, 'id'> },
  type: 'deployment.completed' | 'deployment.failed',
  detail: string | undefined,
) =>
  emit(
    trx,
    'slipway',
    application.workspace_id,
    type,
    { ...applicationTarget(application), about: deployment.id },
    detail,
  )

export const abandonedMessage =
  'Slipway was restarted several times during this deployment, so the deployment was stopped and reverted. Check the Slipway log, then deploy again.'

/** Leftovers on the server are removed by the next deployment or the orphan job. */
export async function finishAbandoned(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  abandoned: Deployment,
): Promise<void> {
  const { workspace_id, id, switched_at, message } = abandoned
  const status = switched_at ? ('completed' as const) : ('failed' as const)
  const error_sealed = switched_at ? null : sealStepError(ctx, id, abandonedMessage)
  await updateSteps(trx, workspace_id, id, { status: 'running' }, { status, error_sealed })
  await skipPendingSteps(trx, abandoned)
  if (switched_at) await requestProxySync(ctx, trx, application)
  await saveOutcome(
    trx,
    { deployment: abandoned },
    {
      status,
      finished_at: new Date(),
      ...(switched_at
        ? { watched_until: abandoned.watched_until ?? crashWatchDeadline(ctx, abandoned) }
        : { errors_sealed: sealErrors(ctx, id, [abandonedMessage]) }),
    },
  )
  const detail = switched_at ? (message ?? undefined) : `${message ?? ''}: ${abandonedMessage}`
  await emitOutcome(trx, { application, deployment: abandoned }, `deployment.${status}`, detail)
}
