import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { enqueue, finishQueuedDuplicates, type JobRun } from '../../platform/jobs.ts'
import { GitHubRateLimited } from '../auth/github-errors.ts'
import { type CommitStatus, setCommitStatus } from '../integrations/commit-status.ts'
import {
  findStatusRepository,
  hasRepositorySource,
  listReportableDeployments,
  type ReportableDeployment,
  type StatusRepository,
  updateReportedStatus,
} from './commit-statuses-store.ts'
import type { Db } from '../../tables.ts'
import type { Listener, Listeners } from '../../events.ts'

export async function reportCommitStatuses(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  run: JobRun,
): Promise<void> {
  await finishQueuedDuplicates(ctx.db, run)
  const repository = await findStatusRepository(ctx.db, workspaceId, applicationId)
  if (!repository) return
  for (const deployment of await listReportableDeployments(ctx.db, workspaceId, applicationId)) {
    run.signal.throwIfAborted()
    const retryAt = await reportDeployment(ctx, repository, deployment)
    if (retryAt) return requestCommitStatuses(ctx, ctx.db, workspaceId, applicationId, retryAt)
  }
}

async function reportDeployment(
  ctx: Context,
  repository: StatusRepository,
  deployment: ReportableDeployment,
): Promise<Date | undefined> {
  const { id, workspace_id, commit, told } = deployment
  if (!commit) return undefined
  const update = toStatusUpdate(deployment)
  const reported = formatReported(commit.sha, update)
  if (told === reported) return undefined
  const before = told?.split(' ', 1)[0]
  try {
    if (before !== commit.sha) {
      if (before) await sendStatus(ctx, repository, deployment, before, replacedBy(commit.sha))
      // Recorded first, so that a worker that takes over knows the commit.
      await updateReportedStatus(ctx.db, workspace_id, id, formatReported(commit.sha))
    }
    await sendStatus(ctx, repository, deployment, commit.sha, update)
  } catch (error) {
    if (error instanceof GitHubRateLimited) return error.retryAt
    throw error
  }
  await updateReportedStatus(ctx.db, workspace_id, id, reported)
  return undefined
}

/** The commit is part of the recorded value to identify it later. */
const formatReported = (sha: string, update?: ReturnType<typeof toStatusUpdate>) =>
  update ? `${sha} ${update.state}: ${update.description}` : `${sha} `

async function sendStatus(
  ctx: Context,
  { integration, repository, context }: StatusRepository,
  { id, application_id }: ReportableDeployment,
  sha: string,
  update: ReturnType<typeof toStatusUpdate>,
): Promise<void> {
  const target_url = `${ctx.config.PUBLIC_URL}/dashboard/applications/${application_id}/deployments?deploymentId=${id}`
  try {
    await setCommitStatus(ctx, integration, repository, sha, { ...update, target_url, context })
  } catch (error) {
    if (!(error instanceof Problem) || isTransient(error)) throw error
    ctx.log.warn({ deployment: id, code: error.code }, 'Failed to set a commit status at GitHub')
  }
}

/** Only an unreachable GitHub is worth a retry. */
const isTransient = ({ status }: Problem) => status >= 500

type StatusUpdate = Pick<CommitStatus, 'state' | 'description'>

function toStatusUpdate({
  status,
  cancel_requested_at,
}: Pick<ReportableDeployment, 'status' | 'cancel_requested_at'>): StatusUpdate {
  if (status === 'completed') return { state: 'success', description: 'Deployed and live.' }
  // Error messages may contain secrets and the status may be public, so it gives no details.
  if (status === 'failed')
    return { state: 'failure', description: 'Deployment failed. See the log in Slipway.' }
  if (cancel_requested_at) return { state: 'error', description: 'Deployment canceled.' }
  if (status === 'cancelled') return { state: 'error', description: 'Replaced by a newer deployment.' }
  return { state: 'pending', description: status === 'queued' ? 'Queued.' : 'Deploying…' }
}

/** For the pushed commit if the branch had a newer one when it was built. */
const replacedBy = (sha: string): StatusUpdate => ({
  state: 'error',
  description: `Replaced by newer commit ${sha.slice(0, 7)}.`,
})

export async function requestCommitStatuses(
  { secrets }: Pick<Context, 'secrets'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  runAt?: Date,
): Promise<void> {
  if (!(await hasRepositorySource(db, workspaceId, applicationId))) return
  await enqueue(secrets, db, {
    kind: 'tell-commit-statuses',
    payload: { workspace_id: workspaceId, application_id: applicationId },
    key: `commit-statuses:${applicationId}`,
    lane: 'webhooks',
    attempts: 16,
    runAt,
  })
}

const reportStatus: Listener = async (ctx: Context, trx, { workspace_id, target_kind, target_id }) => {
  if (target_kind === 'application' && target_id !== null)
    await requestCommitStatuses(ctx, trx, workspace_id, target_id as Id<'application'>)
}

export const listeners: Listeners[] = [
  {
    'deployment.queued': reportStatus,
    'deployment.started': reportStatus,
    'deployment.commit_found': reportStatus,
    'deployment.completed': reportStatus,
    'deployment.failed': reportStatus,
    'deployment.cancelled': reportStatus,
  },
]
