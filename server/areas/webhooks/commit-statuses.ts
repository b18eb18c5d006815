import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { enqueue, finishQueuedDuplicates, type JobRun } from '../../platform/jobs.ts'
import { GitHubRateLimited } from '../auth/github-api.ts'
import { type CommitStatus, setCommitStatus } from '../integrations/commit-status.ts'
import type { Db, Tables } from '../../tables.ts'
import type { Listener, Listeners } from '../../events.ts'
import { type Selectable, sql } from 'kysely'
import type { Integration } from '../integrations/integration.ts'
import type { RepositoryRef } from '../integrations/installation-token.ts'

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
  const { id, workspace_id, commit, reported_status } = deployment
  if (!commit) return undefined
  const update = toStatusUpdate(deployment)
  const reported = formatReported(commit.sha, update)
  if (reported_status === reported) return undefined
  const before = reported_status?.split(' ', 1)[0]
  try {
    if (before !== commit.sha) {
      if (before) await sendStatus(ctx, repository, deployment, before, replacedBy(commit.sha))
      // Record the commit before sending its status, so that a worker that takes over knows it.
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

/** Includes the commit, so that a status is sent again for another commit. */
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
    ctx.log.warn({ deployment: id, code: error.code }, 'Failed to set a commit status on GitHub')
  }
}

/** Tells whether a retry makes sense: only when GitHub is unreachable. */
const isTransient = ({ status }: Problem) => status >= 500

type StatusUpdate = Pick<CommitStatus, 'state' | 'description'>

function toStatusUpdate({
  status,
  cancel_requested_at,
}: Pick<ReportableDeployment, 'status' | 'cancel_requested_at'>): StatusUpdate {
  if (status === 'completed') return { state: 'success', description: 'Deployed and live.' }
  // Error messages may contain secrets and commit statuses may be public, so the status gives no details.
  if (status === 'failed')
    return { state: 'failure', description: 'Deployment failed. See the log in Slipway.' }
  if (cancel_requested_at) return { state: 'error', description: 'Deployment canceled.' }
  if (status === 'cancelled') return { state: 'error', description: 'Replaced by a newer deployment.' }
  return { state: 'pending', description: status === 'queued' ? 'Queued.' : 'Deploying…' }
}

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

async function hasRepositorySource(db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) {
  const row = await db
    .selectFrom('sources')
    .select('application_id')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return row !== undefined
}

interface StatusRepository {
  integration: Integration
  repository: RepositoryRef
  context: string
}

/** Two workspaces may use the same repository, so applications with the same name need distinct contexts. */
const hasEarlierNamesake = sql<boolean>`exists (
  select from sources o join applications b on b.workspace_id = o.workspace_id and b.id = o.application_id
  where o.repository_id = s.repository_id and o.application_id < s.application_id and b.slug = a.slug)`

async function findStatusRepository(
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
): Promise<StatusRepository | undefined> {
  const row = await db
    .selectFrom('integrations as i')
    .innerJoin('sources as s', (on) =>
      on.onRef('s.workspace_id', '=', 'i.workspace_id').onRef('s.integration_id', '=', 'i.id'),
    )
    .innerJoin('applications as a', (on) =>
      on.onRef('a.workspace_id', '=', 's.workspace_id').onRef('a.id', '=', 's.application_id'),
    )
    .selectAll('i')
    .select(['s.repository_id', 's.repository', 'a.slug', hasEarlierNamesake.as('is_second')])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.application_id', '=', applicationId)
    .where('i.status', '=', 'active')
    .executeTakeFirst()
  if (!row) return undefined
  const { repository_id, repository, slug, is_second, ...integration } = row
  return {
    integration,
    repository: { repository_id, repository },
    context: is_second ? `slipway/${slug}/${applicationId}` : `slipway/${slug}`,
  }
}

type ReportableDeployment = Pick<
  Selectable<Tables['deployments']>,
  'id' | 'workspace_id' | 'application_id' | 'status' | 'cancel_requested_at' | 'commit' | 'reported_status'
>

/** Lists deployments of the last day with a commit, oldest first, so that the newest status wins. */
const listReportableDeployments = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
): Promise<ReportableDeployment[]> =>
  db
    .selectFrom('deployments')
    .select([
      'id',
      'workspace_id',
      'application_id',
      'status',
      'cancel_requested_at',
      'commit',
      'reported_status',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .where('commit', 'is not', null)
    .where('created_at', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('id')
    .execute()

const updateReportedStatus = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
  reported_status: string,
) =>
  db
    .updateTable('deployments')
    .set({ reported_status })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
