import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { removeDetached } from '../../../remote/detached.ts'
import { enqueueProxySync } from '../proxy-sync.ts'
import { getServerHost, toServerProblem } from '../server-host.ts'
import { isSetupFinished, setupAttempts } from '../setup.ts'
import { type SetupRun, ServerDeleted, saveProgress, readCurrentServer, SetUpFailed } from './setup-run.ts'
import { connectForSetup } from './connect.ts'
import { markServerFailed, markServerReady } from './server-status.ts'
import { enableLiveRestore } from './live-restore.ts'
import { runScript, setupRunId } from './run-script.ts'
import { findSetup } from './store.ts'
import { verify, type Versions } from './verify.ts'

/** Sets up a server. After a crash, the next worker resumes where this one stopped. */
export async function setUpServer(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'setup'>,
  run: JobRun,
): Promise<void> {
  const setup = await findSetup(ctx.db, workspaceId, id)
  // The server was deleted, or a worker finished and died before it completed the job.
  if (!setup || isSetupFinished(setup)) return
  const attempt: SetupRun = { ctx, run, setup }
  try {
    const found = await connectForSetup(attempt)
    await runScript(attempt, found)
    const versions = await verify(attempt)
    await enableLiveRestore(attempt)
    await complete(attempt, versions)
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof ServerDeleted) return
    await fail(attempt, await toFailureMessage(attempt, error))
  }
  await cleanUp(attempt)
}

const complete = (attempt: SetupRun, versions: Versions) =>
  saveProgress(
    attempt,
    { status: 'completed', finished_at: new Date() },
    'The server is ready.\n',
    async (trx) => {
      if (!(await markServerReady(trx, attempt.setup, versions))) throw new ServerDeleted()
      await enqueueProxySync(attempt.ctx, trx, attempt.setup.workspace_id, attempt.setup.server_id)
    },
  )

/** Returns a message for users; internal errors are retried first. */
async function toFailureMessage(attempt: SetupRun, error: unknown): Promise<string> {
  if (error instanceof SetUpFailed) return error.message
  const said = toServerProblem(await readCurrentServer(attempt), error)
  if (said instanceof Problem) return said.message
  if (attempt.run.attempt < setupAttempts) throw error
  return 'Setup failed because of an internal error. See the Slipway log, then set up again; completed steps are not repeated.'
}

function fail(attempt: SetupRun, reason: string) {
  // The script already printed this error.
  const said = attempt.setup.error === reason ? '' : `!! ${reason}\n`
  const changes = { status: 'failed', error: reason, finished_at: new Date() } as const
  return saveProgress(attempt, changes, said, async (trx) => {
    if (!(await markServerFailed(trx, attempt.setup, reason))) throw new ServerDeleted()
  })
}

/** Best effort: leftover output on the server is small and harmless. */
async function cleanUp(attempt: SetupRun): Promise<void> {
  const { ctx, setup } = attempt
  try {
    await removeDetached(getServerHost(ctx, await readCurrentServer(attempt)), setupRunId(setup))
  } catch (error) {
    ctx.log.debug({ setup: setup.id, why: String(error) }, 'Left the output of a setup on the server.')
  }
}
