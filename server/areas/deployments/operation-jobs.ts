import { sql } from 'kysely'
import { z } from 'zod'
import { id, type Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { type ApplicationRow, findApplication } from '../applications/application.ts'
import { enqueueDeletion } from './delete-application.ts'
import { removeApplication } from './cleanup/remove-application.ts'
import { Problem } from '../../errors.ts'
import { findPreviousRelease } from './run/choose-release.ts'
import { requestDeployment } from './request-deployment.ts'

/** Rolls back a crashed deployment, unless the user did something else meanwhile. */
async function rollBackCrashed(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  died: Id<'deployment'>,
): Promise<void> {
  const application = await findApplication(ctx.db, workspaceId, applicationId)
  if (!application?.auto_rollback || application.wanted === 'stopped') return
  const latest = await ctx.db
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const release = await findPreviousRelease(ctx.db, application)
  if (latest?.id !== died || !release?.kept) return
  try {
    // The previous release had this host access, so it needs no new approval.
    const wanted = { type: 'rollback_application', release: release.id, allowHostAccess: true } as const
    await requestDeployment(ctx, 'slipway', application, wanted)
  } catch (error) {
    // The application is being deleted.
    if (!(error instanceof Problem)) throw error
  }
}

const applicationIds = { workspace_id: id('workspace'), application_id: id('application') }
const died = z.object({ ...applicationIds, deployment_id: id('deployment') })
const deletion = z.object({
  ...applicationIds,
  volumes: z.array(z.string()),
  // Jobs of earlier versions have no folder flag.
  folder: z.boolean().default(false),
  leave: z.boolean(),
})
const nothing = z.object({})

export const operationJobs = [
  defineJob<Context, typeof died>('roll-back-died', died, (ctx, given) =>
    rollBackCrashed(ctx, given.workspace_id, given.application_id, given.deployment_id),
  ),
  defineJob<Context, typeof deletion>('delete-application', deletion, (ctx, given, run) =>
    removeApplication(ctx, given.workspace_id, given.application_id, given, run),
  ),
  defineJob<Context, typeof nothing>('take-up-deletions', nothing, (ctx) => resumeDeletions(ctx)),
]

export const operationSchedules = [
  {
    name: 'take-up-deletions',
    everySeconds: 60,
    job: { kind: 'take-up-deletions', payload: {}, lane: 'poll' as const },
  },
]

/** Resumes deletions whose jobs were lost. Their volumes and folders are kept. */
async function resumeDeletions(ctx: Context): Promise<void> {
  const { rows } = await sql<Pick<ApplicationRow, 'id' | 'workspace_id'>>`
    select id, workspace_id from applications a
    where deleting_at is not null and not exists (
      select from jobs j where j.key = 'application:' || a.id and j.state in ('queued', 'running'))`.execute(
    ctx.db,
  )
  for (const row of rows)
    await transaction(ctx.db, (trx) =>
      enqueueDeletion(ctx, trx, row, { volumes: [], folder: false, leave: false }),
    )
}
