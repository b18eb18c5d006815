import type { Context } from '../../../context.ts'
import type { Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { addsHostAccess, bindsIn, type Program, hostAccessRefusal } from '../../applications/host-access.ts'
import { openReleaseConfiguration } from '../../applications/changes/find-changes.ts'
import { findRelease } from '../../applications/release.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { makesRelease } from '../run/choose-release.ts'
import { configOf } from '../run/make-release.ts'
import { isCompose } from '../compose/model-for.ts'
import { environmentFor } from '../source/source-work.ts'

/** Of a single image; what a compose file asks for is looked at with all else of it. */
export async function checkHostAccess(attempt: Attempt): Promise<void> {
  const { ctx, application, deployment, release } = attempt
  if (deployment.may_empower || isCompose(attempt)) return
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : { config: configOf(attempt), env: environmentFor(attempt) }
  const wasLive = !makesRelease(deployment.type)
  const why = await findHostAccessRefusal(ctx, ctx.db, application, next, wasLive)
  if (why !== undefined) throw new Failed(why)
}

/** Why this needs somebody who may act as root on the server; undefined where it does not. */
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
