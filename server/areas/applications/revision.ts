import type { Context } from '../../context.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationConfig, readApplicationConfig } from './config.ts'
import { readInherited } from './entries/inherited.ts'
import type { ApplicationRow } from './store.ts'

/**
 * Identifies the configuration that a deployment would run, so that a request can confirm what was reviewed. Keyed,
 * so that values cannot be guessed from it.
 */
export const computeRevision = (
  { secrets }: Pick<Context, 'secrets'>,
  { config, compose, env }: ApplicationConfig,
): string => secrets.fingerprint(JSON.stringify(compose ? [compose, env] : [config, env]))

/** For the first deployment by the creator. Project variables may belong to others, so they require a plan. */
export async function computeFirstRevision(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  application: ApplicationRow,
): Promise<string | null> {
  const { workspace_id, project_id } = application
  const inherited = await readInherited(ctx, trx, workspace_id, project_id)
  return inherited.length > 0
    ? null
    : computeRevision(ctx, await readApplicationConfig(ctx, trx, application))
}
