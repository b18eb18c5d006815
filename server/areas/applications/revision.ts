import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import { type Configured, readConfigured } from './config.ts'
import { readInherited } from './entries/inherited.ts'
import type { ApplicationRow } from './store.ts'

/**
 * Identifies what a deployment would run, so that a request can name what was reviewed. It is keyed, so that nobody guesses a
 * value from it.
 */
export const revisionOf = (
  { secrets }: Pick<Context, 'secrets'>,
  { config, compose, env }: Configured,
): string => secrets.mark(JSON.stringify(compose ? [compose, env] : [config, env]))

/** For the first deployment by whoever creates it. Variables of its project may be of others, so that these need a plan. */
export async function revisionOfNew(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  application: ApplicationRow,
): Promise<string | null> {
  const { workspace_id, project_id } = application
  const inherited = await readInherited(ctx, trx, workspace_id, project_id)
  return inherited.length > 0 ? null : revisionOf(ctx, await readConfigured(ctx, trx, application))
}
