import { grantsServerAccess, railpackRefusal } from '../../applications/railpack.ts'
import { findRelease } from '../../applications/release.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { buildOf, isRepository } from './source-work.ts'

/** Railpack runs what is pushed as root: an admin approves it once, and later pushes are built the same way. */
export async function checkBuilder(attempt: Attempt): Promise<void> {
  const { ctx, application, deployment } = attempt
  if (!isRepository(attempt) || deployment.may_empower) return
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  if (grantsServerAccess(buildOf(attempt), live?.config.build)) throw new Failed(railpackRefusal)
}
