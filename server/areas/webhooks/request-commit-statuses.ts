import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Db } from '../../tables.ts'
import { hasRepositorySource } from './commit-status-store.ts'

/** Queues commit statuses of an application, with retries for an hour. */
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
