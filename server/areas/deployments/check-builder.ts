import { givesServer } from '../applications/railpack.ts'
import { findRelease } from '../applications/release.ts'
import { type Attempt, Failed } from './attempt.ts'
import { buildOf, isRepository } from './source-work.ts'

/** A way to build that gives who pushes power over the server is begun by an admin; what is pushed later is built so, too. */
export async function checkBuilder(attempt: Attempt): Promise<void> {
  const { ctx, application, deployment } = attempt
  if (!isRepository(attempt) || deployment.may_empower) return
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  if (givesServer(buildOf(attempt), live?.config.build))
    throw new Failed(
      'Building with Railpack gives everybody who pushes to the repository power over the server, which needs an admin. Ask one to deploy it, or choose another way to build in the settings.',
    )
}
