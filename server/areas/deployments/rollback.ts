import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { findApplication, getApplicationRow } from '../applications/application.ts'
import { getServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import { assertHostAccessApproved, requestDeployment } from './request-deployment.ts'
import { findPreviousRelease } from './run/choose-release.ts'

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

/** Rolls back automatically, unless there is a newer deployment than the one that crashed. */
export async function rollBackCrashed(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  crashed: Id<'deployment'>,
): Promise<void> {
  const application = await findApplication(ctx.db, workspaceId, applicationId)
  if (!application?.auto_rollback || application.wanted === 'stopped') return
  const latest = await ctx.db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const release = await findPreviousRelease(ctx.db, application)
  if (latest?.id !== crashed || !release?.kept) return
  try {
    // The previous release had this host access, so it needs no new approval.
    const request = { type: 'rollback_application', release: release.id, allowHostAccess: true } as const
    await requestDeployment(ctx, 'slipway', application, request)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}
