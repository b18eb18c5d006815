import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { createEngine } from './engine.ts'
import { createDefaultAlerts } from './default-alerts.ts'

/** Figures come every ten seconds and all else when it happens; so often it is looked for what came. */
const PASS_EVERY = 1_000

/** Looks at everything until it is told to stop. It is a job, so there is one of it in all processes together. */
export async function watchAlerts(ctx: Context, run: JobRun): Promise<void> {
  const { signal } = run
  const engine = createEngine(ctx, run)
  let troubled = false
  let settled = false
  try {
    while (!signal.aborted) {
      try {
        if (!settled) await makeForAll(ctx)
        settled = true
        await engine.pass(performance.now())
        troubled = false
      } catch (error) {
        if (error instanceof JobStopped) throw error
        if (!troubled && !signal.aborted)
          ctx.log.warn({ why: String(error) }, 'Could not evaluate alerts. Retrying.')
        troubled = true
      }
      await sleep(PASS_EVERY, undefined, { signal }).catch(() => {})
    }
  } finally {
    await engine.stop()
  }
  // It was not done: another process is to go on with it.
  signal.throwIfAborted()
}

/** Workspaces that were there before there were alerts get the usual ones too. */
async function makeForAll(ctx: Context): Promise<void> {
  for (const { id } of await listWithout(ctx))
    await transaction(ctx.db, (trx) => createDefaultAlerts(trx, id))
}

const listWithout = ({ db }: Context): Promise<{ id: Id<'workspace'> }[]> =>
  db.selectFrom('workspaces').select('id').where('alerts_made', '=', false).execute()
