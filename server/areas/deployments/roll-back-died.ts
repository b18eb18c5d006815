import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { findApplication } from '../applications/application.ts'
import { findReleaseBefore } from './choose-release.ts'
import { requestDeployment } from './request-deployment.ts'

/** Goes back from what a deployment brought, unless somebody has done something else meanwhile. */
export async function rollBackDied(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  died: Id<'deployment'>,
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
  const release = await findReleaseBefore(ctx.db, application)
  if (latest?.id !== died || !release?.kept) return
  try {
    // What ran a moment ago, with all that it had.
    const wanted = { type: 'rollback_application', release: release.id, mayEmpower: true } as const
    await requestDeployment(ctx, 'slipway', application, wanted)
  } catch (error) {
    // It is being deleted.
    if (!(error instanceof Problem)) throw error
  }
}
