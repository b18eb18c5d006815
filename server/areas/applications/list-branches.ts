import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { listBranches } from '../integrations/branches.ts'
import { findIntegration } from '../integrations/integration.ts'
import { lookUp } from '../integrations/repository.ts'
import { getApplicationRow } from './application.ts'
import { findSource } from './source.ts'

/** Empty while GitHub is unreachable: branches can still be typed. */
export async function listApplicationBranches(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
): Promise<string[]> {
  await getApplicationRow(ctx, actor, id)
  const source = await findSource(ctx.db, actor.workspace.id, id)
  if (!source?.integration_id) return []
  const integration = await findIntegration(ctx.db, actor.workspace.id, source.integration_id)
  if (!integration) return []
  try {
    return await listBranches(ctx, integration, await lookUp(ctx, integration, source))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.warn({ application: id, problem: error.code }, `Could not list branches. ${error.message}`)
    return []
  }
}
