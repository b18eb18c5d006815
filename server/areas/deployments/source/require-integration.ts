import { findIntegration, type Integration } from '../../integrations/integration.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { buildConfig } from './source-work.ts'

export async function requireIntegration(attempt: DeploymentRun): Promise<Integration> {
  const { ctx, application } = attempt
  const { integration_id: id, repository } = buildConfig(attempt)
  const integration = id && (await findIntegration(ctx.db, application.workspace_id, id))
  if (!integration)
    throw new DeploymentFailed(
      `The GitHub account for ${repository} was disconnected. Connect it again under Integrations, then deploy again.`,
    )
  return integration
}
