import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import type { Checked } from '../compose/check/check-file.ts'
import { checkFileOffLoop } from '../compose/check/check-off-loop.ts'
import { readConfigured } from './config.ts'
import type { ApplicationRow } from './store.ts'

/** Reads the services of the current compose file; undefined for other sources. */
export async function readServices(
  ctx: Context,
  db: Db,
  application: ApplicationRow,
): Promise<Checked['services'] | undefined> {
  if (application.compose_sealed === null) return undefined
  const { compose, env } = await readConfigured(ctx, db, application)
  if (!compose) return undefined
  return (
    await checkFileOffLoop(`reads of ${application.workspace_id}`, compose.text, {
      env,
      profiles: compose.profiles,
    })
  ).services
}
