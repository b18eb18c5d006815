import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { emit, nudge } from '../../../events.ts'
import { forMany } from '../../../platform/for-many.ts'
import type { Run } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, lockApplication, applicationTarget } from '../../applications/application.ts'
import { findRelease } from '../../applications/release.ts'
import { findServer } from '../../servers/server.ts'
import { type Attempt, Over, writeAs } from './attempt.ts'
import { findMeant, makesRelease, messageOf } from './choose-release.ts'
import { type Deployment, isOver } from './deployment.ts'
import { endLeft } from './finish.ts'
import { openLog } from './log.ts'
import { findDeployment, lockDeployment, lockUnderWay, updateDeployment, updateSteps } from './store.ts'

/** Takes it in hand; nothing when it is over, or gone with its application, or another job has it by now. */
export async function begin(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  run: Run,
  patience: number,
): Promise<Attempt | undefined> {
  const found = await transaction(ctx.db, (trx) => take(ctx, trx, workspaceId, id, run))
  if (!found) return undefined
  const { application, deployment } = found
  const [server, release, log] = await Promise.all([
    findServer(ctx, workspaceId, application.server_id),
    deployment.release_id ? findRelease(ctx.db, workspaceId, deployment.release_id) : undefined,
    openLog(ctx, deployment, (work) => writeAs({ ctx, run, deployment }, work)),
  ])
  if (!server) return undefined
  return {
    ctx,
    run,
    signal: forMany(AbortSignal.any([run.signal, log.signal])),
    application,
    server,
    deployment,
    entered: Promise.resolve(),
    release,
    model: undefined,
    commit: deployment.commit ?? undefined,
    atGitHub: undefined,
    source: undefined,
    log,
    wasInterrupted: run.fence > 1,
    unwell: new Set(),
    readers: [],
    silence: new AbortController(),
    patience,
  }
}

async function take(
  ctx: Context,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  run: Run,
): Promise<{ application: ApplicationRow; deployment: Deployment } | undefined> {
  const { application_id } = (await findDeployment(trx, workspaceId, id)) ?? {}
  const application = application_id && (await lockApplication(trx, workspaceId, application_id))
  const deployment = await lockDeployment(trx, workspaceId, id)
  if (!application || !deployment || isOver(deployment) || deployment.job_id !== run.id) return undefined
  await run.stillMine(trx)
  if (deployment.status === 'running') return { application, deployment }
  if (application.deleting_at) {
    await updateSteps(trx, workspaceId, id, { status: 'waiting' }, { status: 'skipped' })
    await updateDeployment(trx, workspaceId, id, { status: 'cancelled', finished_at: new Date() })
    return undefined
  }
  // Whoever had it has let go of it: nobody else works on this application now.
  for (const left of await lockUnderWay(trx, workspaceId, application.id, ['running']))
    await endLeft(ctx, trx, application, left)
  const begun = await updateDeployment(trx, workspaceId, id, {
    status: 'running',
    started_at: new Date(),
    ...(await meantBy(trx, application, deployment)),
  })
  if (!begun) throw new Over()
  await emit(
    trx,
    'slipway',
    workspaceId,
    'deployment.started',
    { ...applicationTarget(application), about: id },
    begun.message ?? undefined,
  )
  await nudge(trx, workspaceId, 'deployment.changed', application.id)
  return { application, deployment: begun }
}

/** The release that it is about, where that is the one which is current by now, or the one before. */
async function meantBy(trx: Trx, application: ApplicationRow, { type, release_id }: Deployment) {
  if (release_id !== null || makesRelease(type)) return {}
  const release = await findMeant(trx, application, type)
  return (
    release && {
      release_id: release.id,
      tag: release.image || null,
      message: messageOf(application, type, release),
    }
  )
}
