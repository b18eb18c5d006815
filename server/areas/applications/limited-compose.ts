import type { Context } from '../../context.ts'
import { forbidden, listed } from '../../errors.ts'
import { type Actor, limitOf } from '../../route.ts'
import { sharedIn } from '../compose/shared-names.ts'
import { checkSource } from './compose.ts'
import { readConfigured } from './config.ts'
import { composeOf, findRelease } from './release.ts'
import type { ApplicationRow } from './store.ts'

/** By the name of a volume or network a limited API token would reach the data of applications beyond its limit. */
export function mustShareNothingNew(
  actor: Actor,
  wanted: readonly string[],
  before: readonly string[],
): void {
  const added = limitOf(actor) ? wanted.filter((one) => !before.includes(one)) : []
  if (added.length > 0)
    throw forbidden(
      `This compose file uses what may belong to other applications: ${listed(added.map((one) => `the ${one}`))}. An API token that is limited to projects or applications cannot add that. Use a token without a limit.`,
    )
}

/** The same of what would be deployed: a variable may have changed the names since the file was saved. */
export async function mustDeployNothingShared(
  ctx: Context,
  actor: Actor,
  application: ApplicationRow,
): Promise<void> {
  if (!limitOf(actor)) return
  const { compose, env } = await readConfigured(ctx, ctx.db, application)
  if (!compose) return
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  const { shared } = await checkSource({ compose: compose.text, profiles: compose.profiles }, env)
  mustShareNothingNew(actor, shared, sharedIn((live && composeOf(ctx, live)?.model) ?? {}))
}
