import type { Context } from '../../../context.ts'
import { emit, nudge } from '../../../events.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, applicationTarget } from '../../applications/application.ts'
import { listInstances } from '../../applications/instance.ts'
import { requestProxySync } from '../../applications/hosts/proxy-sync.ts'
import { redactorOf } from '../../applications/redact-for.ts'
import { type Attempt, writeAs } from './attempt.ts'
import type { Deployment } from './deployment.ts'
import { deploymentSources } from './redact.ts'
import { sealErrors, sealStepError } from './sealed-errors.ts'
import { updateDeployment, updateSteps } from './store.ts'

/** Observed: the new containers run, are well, and take the traffic. */
export async function complete(attempt: Attempt): Promise<void> {
  const { ctx, deployment, log } = attempt
  const seconds = ((Date.now() - (deployment.started_at?.getTime() ?? 0)) / 1_000).toFixed(1)
  log.say(`Deployment completed in ${seconds} s`)
  await log.flush()
  await writeAs(attempt, async (trx) => {
    await updateSteps(
      trx,
      deployment.workspace_id,
      deployment.id,
      { status: 'running' },
      { status: 'completed' },
    )
    await close(trx, attempt, { status: 'completed', finished_at: ctx.now() })
    await tell(trx, attempt, 'deployment.completed', deployment.message ?? undefined)
  })
}

/** After all that it began is undone. What was written down of why it failed stays. */
export async function endFailed(attempt: Attempt, errors: string[], isUndone: boolean): Promise<void> {
  const { ctx, application, deployment, log } = attempt
  log.say(`Deployment failed: ${errors[0] ?? ''}`)
  const isTouched = deployment.plan?.some(({ action }) => action === 'recreated')
  const all = isUndone ? [] : await listInstances(ctx.db, deployment.workspace_id, application.id)
  if (all.some(({ state }) => state === 'held'))
    log.say(
      'The previous containers are still stopped. Slipway starts them again as soon as the server is reachable.',
    )
  else if (application.release_id && application.wanted === 'running')
    log.say(isTouched ? 'The previous release is live again.' : 'The previous release is still live.')
  await log.flush()
  // Events are not sealed, and viewers read them.
  const redact = await redactorOf(ctx, deployment.workspace_id, deploymentSources(ctx, deployment))
  await writeAs(attempt, async (trx) => {
    await skipRest(trx, deployment)
    await close(trx, attempt, { status: 'failed', finished_at: new Date() })
    await tell(trx, attempt, 'deployment.failed', `${deployment.message ?? ''}: ${redact(errors[0] ?? '')}`)
  })
}

/** Who cancelled it was told when they did. */
export async function endCancelled(attempt: Attempt): Promise<void> {
  const { deployment, log } = attempt
  log.say('Deployment canceled. All changes were reverted.')
  await log.flush()
  await writeAs(attempt, async (trx) => {
    await updateSteps(
      trx,
      deployment.workspace_id,
      deployment.id,
      { status: 'running' },
      { status: 'undone' },
    )
    await skipRest(trx, deployment)
    await close(trx, attempt, { status: 'cancelled', finished_at: new Date() })
  })
}

const skipRest = (trx: Trx, { workspace_id, id }: Deployment) =>
  updateSteps(trx, workspace_id, id, { status: 'waiting' }, { status: 'skipped' })

async function close(
  trx: Trx,
  { deployment: { workspace_id, application_id, id } }: Pick<Attempt, 'deployment'>,
  changes: Parameters<typeof updateDeployment>[3],
): Promise<void> {
  await updateDeployment(trx, workspace_id, id, changes)
  await nudge(trx, workspace_id, 'deployment.changed', application_id)
  await nudge(trx, workspace_id, 'application.changed', application_id)
}

const tell = (
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

export const gaveUp =
  'Slipway was restarted several times during this deployment, so it was stopped and reverted. Check the Slipway log, then deploy again.'

/** One that nobody works on any more. What it has left on the server goes with the next deployment, or is tidied up. */
export async function endLeft(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  left: Deployment,
): Promise<void> {
  const { workspace_id, id, switched_at, message } = left
  const went = switched_at ? ('completed' as const) : ('failed' as const)
  const error_sealed = switched_at ? null : sealStepError(ctx, id, gaveUp)
  await updateSteps(trx, workspace_id, id, { status: 'running' }, { status: went, error_sealed })
  await skipRest(trx, left)
  // Whoever had it may have been cut off before the proxy heard of it.
  if (switched_at) await requestProxySync(ctx, trx, application)
  await close(
    trx,
    { deployment: left },
    {
      status: went,
      finished_at: new Date(),
      ...(switched_at
        ? { watched_until: left.watched_until ?? watchUntil(ctx, left) }
        : { errors_sealed: sealErrors(ctx, id, [gaveUp]) }),
    },
  )
  const detail = switched_at ? (message ?? undefined) : `${message ?? ''}: ${gaveUp}`
  await tell(trx, { application, deployment: left }, `deployment.${went}`, detail)
}

/** Milliseconds for which it is watched whether what it brought stays well. */
const watchFor = 5 * 60_000

/** From when it takes the traffic. Nothing is to stay well of what is stopped. */
export const watchUntil = (ctx: Context, { type }: Pick<Deployment, 'type'>): Date | null =>
  type === 'stop_application' ? null : new Date(ctx.now().getTime() + watchFor)
