import type { Context } from '../../context.ts'
import type { Run } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'

/** Milliseconds for which it is taken for granted that a job is still ours. */
const sureFor = 2_000

export interface Held extends Run {
  /** Throws when the job is another's by now. */
  makeSure(): Promise<void>
}

/**
 * A job that looks before it acts, where it has not heard for a while that it is still ours: a process that was frozen goes on
 * where it stopped, with what it had read before, while another has long taken its place.
 */
export function hold(ctx: Pick<Context, 'db' | 'now'>, run: Run): Held {
  // One clock stands still while the machine sleeps, and the other may be put back.
  const read = () => [performance.now(), ctx.now().getTime()] as const
  let known = read()
  const stillMine: Run['stillMine'] = async (trx) => {
    await run.stillMine(trx)
    known = read()
  }
  return {
    ...run,
    stillMine,
    async makeSure() {
      const now = read()
      if (now[0] - known[0] < sureFor && Math.abs(now[1] - known[1]) < sureFor) return
      await transaction(ctx.db, stillMine)
    },
  }
}
