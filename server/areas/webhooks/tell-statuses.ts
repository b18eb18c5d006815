import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { type Run, takeAlong } from '../../platform/jobs.ts'
import { GitHubLimited } from '../auth/github-errors.ts'
import { setStatus, type CommitStatus } from '../integrations/status.ts'
import { requestTelling } from './request-telling.ts'
import { findRepository, listTellable, type Repository, type Tellable, updateTold } from './tellable.ts'

/** Has GitHub show how the deployments of an application stand, whichever event this job came with. */
export async function tellStatuses(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  run: Run,
): Promise<void> {
  await takeAlong(ctx.db, run)
  const repository = await findRepository(ctx.db, workspaceId, applicationId)
  if (!repository) return
  for (const deployment of await listTellable(ctx.db, workspaceId, applicationId)) {
    run.signal.throwIfAborted()
    const again = await tell(ctx, repository, deployment)
    if (again) return requestTelling(ctx, ctx.db, workspaceId, applicationId, again)
  }
}

/** Gives back when to go on, where GitHub takes no more for a while. */
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
      // Whoever goes on from here knows of the commit, even if it is another one by then.
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

/** The commit comes first, by which it is known later what was told of which. */
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
    ctx.log.warn({ deployment: id, code: error.code }, 'GitHub was not told of a deployment.')
  }
}

/** GitHub is away, which it will not be for ever; all else would be the same the next time. */
const isPassing = ({ status }: Problem) => status >= 500

type Said = Pick<CommitStatus, 'state' | 'description'>

/** What GitHub shows beside the commit of a deployment. */
function statusOf({ status, cancel_requested_at }: Pick<Tellable, 'status' | 'cancel_requested_at'>): Said {
  if (status === 'completed') return { state: 'success', description: 'Deployed. It takes the traffic.' }
  // Errors can quote output that holds secrets, and everybody who sees the repository reads this.
  if (status === 'failed')
    return { state: 'failure', description: 'The deployment failed. Its log in Slipway says why.' }
  if (cancel_requested_at) return { state: 'error', description: 'The deployment was cancelled.' }
  if (status === 'cancelled')
    return { state: 'error', description: 'Replaced by a newer one before it began.' }
  return { state: 'pending', description: status === 'queued' ? 'Waiting for its turn.' : 'Deploying.' }
}

/** Beside the commit that was pushed, where the branch held a newer one by the time that it was built. */
const replacedBy = (sha: string): Said => ({
  state: 'error',
  description: `Replaced by ${sha.slice(0, 7)}, which is newer.`,
})
