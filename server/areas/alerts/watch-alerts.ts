import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { createEngine } from './engine.ts'
import { createDefaultAlerts } from './default-alerts.ts'
import { pause } from '../../platform/async.ts'

/** Milliseconds. Metrics arrive every ten seconds and other changes at any time, so poll once a second. */
const PASS_EVERY = 1_000

/** Runs until stopped. The job queue ensures that only one process runs it. */
export async function watchAlerts(ctx: Context, run: JobRun): Promise<void> {
  const { signal } = run
  const engine = createEngine(ctx, run)
  let troubled = false
  let settled = false
  try {
    while (!signal.aborted) {
      try {
        if (!settled) await createMissingDefaults(ctx)
        settled = true
        await engine.pass(performance.now())
        troubled = false
      } catch (error) {
        if (error instanceof JobStopped) throw error
        if (!troubled && !signal.aborted)
          ctx.log.warn({ why: String(error) }, 'Could not evaluate alerts. Retrying.')
        troubled = true
      }
      await pause(PASS_EVERY, signal)
    }
  } finally {
    await engine.stop()
  }
  // Throw, so that the job is not done and another process continues.
  signal.throwIfAborted()
}

/** Workspaces from before alerts existed also receive the defaults. */
async function createMissingDefaults(ctx: Context): Promise<void> {
  for (const { id } of await listWithout(ctx))
    await transaction(ctx.db, (trx) => createDefaultAlerts(trx, id))
}

const listWithout = ({ db }: Context): Promise<{ id: Id<'workspace'> }[]> =>
  db.selectFrom('workspaces').select('id').where('alerts_made', '=', false).execute()
