import { findIntegration, type Integration } from '../../integrations/integration.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { buildOf } from './source-work.ts'

/** The account at GitHub that its repository is reached by. */
export async function integrationOf(attempt: Attempt): Promise<Integration> {
  const { ctx, application } = attempt
  const { integration_id: id, repository } = buildOf(attempt)
  const integration = id && (await findIntegration(ctx.db, application.workspace_id, id))
  if (!integration)
    throw new Failed(
      `The GitHub account for ${repository} was disconnected. Connect it again under Integrations, then deploy again.`,
    )
  return integration
}
