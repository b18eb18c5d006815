import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { forbidden } from '../../errors.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { readConfigured } from '../applications/config.ts'
import { openReleaseConfiguration } from '../applications/changes/find-changes.ts'
import { mustDeployNothingShared } from '../applications/limited-compose.ts'
import { findHostAccessRefusal } from './steps/check-host-access.ts'
import { getReleaseTo } from './run/choose-release.ts'
import { mayActAsRoot } from '../servers/act-as-root.ts'
import { getServerRow } from '../servers/server.ts'
import { requestDeployment, type Wanted } from './request-deployment.ts'

type Deploying = Pick<Wanted, 'revision' | 'rebuild'>

/** What is configured, as it is at this moment. */
export async function deploy(ctx: Context, actor: Actor, id: Id<'application'>, wanted: Deploying) {
  const application = await getApplicationRow(ctx, actor, id)
  const asRoot = mayActAsRoot(actor, await getServerRow(ctx, actor, application.server_id))
  // Who names no revision has not seen a plan: somebody without the right may have changed what would be approved.
  const mayEmpower = asRoot && wanted.revision !== undefined
  if (!mayEmpower) await mustBeApproved(ctx, application)
  const asked = { type: 'deploy_application', mayEmpower, ...wanted } as const
  return requestDeployment(ctx, actor, application, asked, (trx) =>
    mustDeployNothingShared({ ...ctx, db: trx }, actor, application),
  )
}

/** The deployment looks at it again when its turn comes; somebody who waits for the answer is told at once. */
async function mustBeApproved(
  ctx: Context,
  application: ApplicationRow,
  releaseId?: Id<'release'>,
): Promise<void> {
  if (application.compose_sealed !== null) return
  const release = releaseId && (await getReleaseTo(ctx.db, application, releaseId))
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : await readConfigured(ctx, ctx.db, application)
  const why = await findHostAccessRefusal(ctx, ctx.db, application, next, release !== undefined)
  if (why !== undefined) throw forbidden(why)
}

type Operation = 'restart_application' | 'stop_application' | 'start_application'

/** Of the release that it has when its turn comes. */
export async function operate(ctx: Context, actor: Actor, id: Id<'application'>, type: Operation) {
  return requestDeployment(ctx, actor, await getApplicationRow(ctx, actor, id), { type })
}

/** To a kept release; without one to that which took the traffic before the one that does when its turn comes. */
export async function rollBack(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  release: Id<'release'> | undefined,
) {
  const application = await getApplicationRow(ctx, actor, id)
  const mayEmpower = mayActAsRoot(actor, await getServerRow(ctx, actor, application.server_id))
  if (!mayEmpower && release) await mustBeApproved(ctx, application, release)
  return requestDeployment(ctx, actor, application, { type: 'rollback_application', release, mayEmpower })
}
