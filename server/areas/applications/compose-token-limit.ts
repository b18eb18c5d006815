import type { Context } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { formatNames } from '../../../contract/shared/format-list.ts'
import { type Actor, getTokenLimit } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { sharedResourceNames } from '../compose/read/compose-file.ts'
import { checkSource } from './compose.ts'
import { readApplicationConfig } from './config.ts'
import { openReleaseCompose, findRelease } from './release.ts'
import type { ApplicationRow } from './application.ts'

/** A shared volume or network name would give a limited API token access to applications beyond its limit. */
export function assertNoNewSharedNames(
  actor: Actor,
  requested: readonly string[],
  before: readonly string[],
): void {
  const added = getTokenLimit(actor) ? requested.filter((resource) => !before.includes(resource)) : []
  if (added.length > 0)
    throw forbidden(
      `This compose file uses resources that may belong to other applications: ${formatNames(added.map((resource) => `the ${resource}`))}. API tokens limited to projects or applications cannot add them. Use an unlimited token.`,
    )
}

/** Checks the deployed names: a variable may have changed them since the file was saved. */
export async function assertNoSharedNames(
  ctx: Context,
  actor: Actor,
  application: ApplicationRow,
): Promise<void> {
  if (!getTokenLimit(actor)) return
  const { compose, env } = await readApplicationConfig(ctx, ctx.db, application)
  if (!compose) return
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  const { shared } = await checkSource(
    workspace_id,
    { compose: compose.text, profiles: compose.profiles },
    env,
  )
  assertNoNewSharedNames(
    actor,
    shared,
    sharedResourceNames((live && openReleaseCompose(ctx, live)?.model) ?? {}),
  )
}

/** Someone else may deploy the variables, so their changes are checked as well. */
export async function changeVariables<T>(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  applications: readonly ApplicationRow[],
  change: () => Promise<T>,
): Promise<T> {
  if (!getTokenLimit(actor)) return change()
  const before = await sharedBy(ctx, trx, applications)
  const changed = await change()
  assertNoNewSharedNames(actor, await sharedBy(ctx, trx, applications), before)
  return changed
}

async function sharedBy(ctx: Context, trx: Trx, applications: readonly ApplicationRow[]): Promise<string[]> {
  const shared: string[] = []
  for (const application of applications) {
    const { compose, env } = await readApplicationConfig(ctx, trx, application)
    if (!compose) continue
    const source = { compose: compose.text, profiles: compose.profiles }
    const read = await checkSource(application.workspace_id, source, env)
    shared.push(...read.shared)
  }
  return shared
}
