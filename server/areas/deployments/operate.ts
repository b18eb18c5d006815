import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { forbidden } from '../../errors.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { readApplicationConfig } from '../applications/config.ts'
import { openReleaseConfiguration } from '../applications/changes/find-changes.ts'
import { assertNoSharedNames } from '../applications/limited-compose.ts'
import { findHostAccessRefusal } from './steps/check.ts'
import { getRollbackRelease } from './run/choose-release.ts'
import { canActAsRoot } from '../servers/act-as-root.ts'
import { getServerRow } from '../servers/server.ts'
import { requestDeployment, type DeploymentRequest } from './request-deployment.ts'

type DeployOptions = Pick<DeploymentRequest, 'revision' | 'rebuild'>

/** Deploys the current configuration. */
export async function deployConfigured(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  wanted: DeployOptions,
) {
  const application = await getApplicationRow(ctx, actor, id)
  const asRoot = canActAsRoot(actor, await getServerRow(ctx, actor, application.server_id))
  // Without a revision the caller has not seen the plan, and somebody else may have changed what would be approved.
  const allowHostAccess = asRoot && wanted.revision !== undefined
  if (!allowHostAccess) await assertHostAccessApproved(ctx, application)
  const asked = { type: 'deploy_application', allowHostAccess, ...wanted } as const
  return requestDeployment(ctx, actor, application, asked, (trx) =>
    assertNoSharedNames({ ...ctx, db: trx }, actor, application),
  )
}

/** The deployment checks this again; checking here gives the caller an immediate error. */
async function assertHostAccessApproved(
  ctx: Context,
  application: ApplicationRow,
  releaseId?: Id<'release'>,
): Promise<void> {
  if (application.compose_sealed !== null) return
  const release = releaseId && (await getRollbackRelease(ctx.db, application, releaseId))
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : await readApplicationConfig(ctx, ctx.db, application)
  const why = await findHostAccessRefusal(ctx, ctx.db, application, next, release !== undefined)
  if (why !== undefined) throw forbidden(why)
}

type Operation = 'restart_application' | 'stop_application' | 'start_application'

/** Applies to the release that is current when the deployment starts. */
export async function operate(ctx: Context, actor: Actor, id: Id<'application'>, type: Operation) {
  return requestDeployment(ctx, actor, await getApplicationRow(ctx, actor, id), { type })
}

/** Rolls back to the given release, or to the previous one at the time the deployment starts. */
export async function rollBack(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  release: Id<'release'> | undefined,
) {
  const application = await getApplicationRow(ctx, actor, id)
  const allowHostAccess = canActAsRoot(actor, await getServerRow(ctx, actor, application.server_id))
  if (!allowHostAccess && release) await assertHostAccessApproved(ctx, application, release)
  return requestDeployment(ctx, actor, application, {
    type: 'rollback_application',
    release,
    allowHostAccess,
  })
}
