import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { openReleaseConfiguration } from '../../applications/changes/find-changes.ts'
import { addsHostAccess, bindsIn, type Program, hostAccessRefusal } from '../../applications/host-access.ts'
import { findRelease } from '../../applications/release.ts'
import { isCompose } from '../compose/read-compose.ts'
import { createsRelease } from '../run/choose-release.ts'
import { requestedConfig } from '../run/create-release.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { requestedEnvironment } from '../source/source-work.ts'

/** Checks images only; `checkCompose` covers compose files. */
export async function checkHostAccess(attempt: DeploymentRun): Promise<void> {
  const { ctx, application, deployment, release } = attempt
  if (deployment.may_empower || isCompose(attempt)) return
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : { config: requestedConfig(attempt), env: requestedEnvironment(attempt) }
  const wasLive = !createsRelease(deployment.type)
  const why = await findHostAccessRefusal(ctx, ctx.db, application, next, wasLive)
  if (why !== undefined) throw new DeploymentFailed(why)
}

/** Returns why an admin must approve this; undefined if no approval is needed. */
export async function findHostAccessRefusal(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  application: ApplicationRow,
  next: Program,
  wasLive: boolean,
): Promise<string | undefined> {
  if (bindsIn(next.config).length === 0) return undefined
  const live = await findLiveProgram(ctx, db, application)
  return addsHostAccess(next, live, wasLive) ? hostAccessRefusal(wasLive) : undefined
}

/** Reads what the live release runs: its host access is approved. */
export async function findLiveProgram(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  { workspace_id, release_id }: ApplicationRow,
): Promise<Program | undefined> {
  const release = release_id ? await findRelease(db, workspace_id, release_id) : undefined
  return release && openReleaseConfiguration(ctx, release)
}
