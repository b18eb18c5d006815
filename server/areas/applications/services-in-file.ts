import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import { checkComposeFileInWorker, type ComposeCheck } from '../compose/check/check-compose-file.ts'
import { readApplicationConfig } from './config.ts'
import type { ApplicationRow } from './store.ts'

/** Reads the services of the current compose file; undefined for other sources. */
export async function readServices(
  ctx: Context,
  db: Db,
  application: ApplicationRow,
): Promise<ComposeCheck['services'] | undefined> {
  if (application.compose_sealed === null) return undefined
  const { compose, env } = await readApplicationConfig(ctx, db, application)
  if (!compose) return undefined
  return (
    await checkComposeFileInWorker(`reads of ${application.workspace_id}`, compose.text, {
      env,
      profiles: compose.profiles,
    })
  ).services
}
