import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { type JobRun, finishQueuedDuplicates } from '../../platform/jobs.ts'
import { GitHubLimited } from '../auth/github-errors.ts'
import { setStatus, type CommitStatus } from '../integrations/status.ts'
import { requestTelling } from './request-telling.ts'
import { findRepository, listTellable, type Repository, type Tellable, updateTold } from './tellable.ts'

/** Updates the commit statuses of an application at GitHub. */
export async function tellStatuses(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  run: JobRun,
): Promise<void> {
  await finishQueuedDuplicates(ctx.db, run)
  const repository = await findRepository(ctx.db, workspaceId, applicationId)
  if (!repository) return
  for (const deployment of await listTellable(ctx.db, workspaceId, applicationId)) {
    run.signal.throwIfAborted()
    const again = await tell(ctx, repository, deployment)
    if (again) return requestTelling(ctx, ctx.db, workspaceId, applicationId, again)
  }
}

/** Returns when to continue if GitHub's rate limit is reached. */
async function tell(ctx: Context, repository: Repository, deployment: Tellable): Promise<Date | undefined> {
  const { id, workspace_id, commit, told } = deployment
  if (!commit) return undefined
  const said = statusOf(deployment)
  const words = toldOf(commit.sha, said)
  if (told === words) return undefined
  const before = told?.split(' ', 1)[0]
  try {
    if (before !== commit.sha) {
      if (before) await say(ctx, repository, deployment, before, replacedBy(commit.sha))
      // Recorded first, so that a worker that takes over knows the commit.
      await updateTold(ctx.db, workspace_id, id, toldOf(commit.sha))
    }
    await say(ctx, repository, deployment, commit.sha, said)
  } catch (error) {
    if (error instanceof GitHubLimited) return error.retryAt
    throw error
  }
  await updateTold(ctx.db, workspace_id, id, words)
  return undefined
}

/** The commit is part of the recorded value to identify it later. */
const toldOf = (sha: string, said?: ReturnType<typeof statusOf>) =>
  said ? `${sha} ${said.state}: ${said.description}` : `${sha} `

async function say(
  ctx: Context,
  { integration, repository, context }: Repository,
  { id, application_id }: Tellable,
  sha: string,
  said: ReturnType<typeof statusOf>,
): Promise<void> {
  const target_url = `${ctx.config.PUBLIC_URL}/dashboard/applications/${application_id}/deployments?deploymentId=${id}`
  try {
    await setStatus(ctx, integration, repository, sha, { ...said, target_url, context })
  } catch (error) {
    if (!(error instanceof Problem) || isPassing(error)) throw error
    ctx.log.warn({ deployment: id, code: error.code }, 'Failed to set a commit status at GitHub')
  }
}

/** Only an unreachable GitHub is worth a retry. */
const isPassing = ({ status }: Problem) => status >= 500

type Said = Pick<CommitStatus, 'state' | 'description'>

/** Commit status of a deployment. */
function statusOf({ status, cancel_requested_at }: Pick<Tellable, 'status' | 'cancel_requested_at'>): Said {
  if (status === 'completed') return { state: 'success', description: 'Deployed and live.' }
  // Error messages may contain secrets and the status may be public, so it gives no details.
  if (status === 'failed')
    return { state: 'failure', description: 'Deployment failed. See the log in Slipway.' }
  if (cancel_requested_at) return { state: 'error', description: 'Deployment canceled.' }
  if (status === 'cancelled') return { state: 'error', description: 'Replaced by a newer deployment.' }
  return { state: 'pending', description: status === 'queued' ? 'Queued.' : 'Deploying…' }
}

/** For the pushed commit if the branch had a newer one when it was built. */
const replacedBy = (sha: string): Said => ({
  state: 'error',
  description: `Replaced by newer commit ${sha.slice(0, 7)}.`,
})
