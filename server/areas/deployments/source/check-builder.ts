import { grantsServerAccess, railpackRefusal } from '../../applications/railpack.ts'
import { findRelease } from '../../applications/release.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { buildConfig, isRepository } from './source-work.ts'

/** Railpack runs repository code as root, so an admin approves it once. */
export async function checkBuilder(attempt: DeploymentRun): Promise<void> {
  const { ctx, application, deployment } = attempt
  if (!isRepository(attempt) || deployment.may_empower) return
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  if (grantsServerAccess(buildConfig(attempt), live?.config.build))
    throw new DeploymentFailed(railpackRefusal)
}
