import { type Doer, emit, isOutsider } from '../../events.ts'
import { cancel } from '../../platform/jobs.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationRow, targetOf } from '../applications/application.ts'
import { makesRelease } from './choose-release.ts'
import { lockUnderWay, updateDeployment, updateSteps } from './store.ts'

/**
 * Ends the one that waits, for a newer one. A worker that has just taken it finds that it is over. What somebody wants done
 * with the release that is there is not undone by a push or a hook: that comes after it.
 */
export async function supersede(
  trx: Trx,
  doer: Doer,
  application: ApplicationRow,
  message: string,
): Promise<void> {
  const { workspace_id, id } = application
  for (const one of await lockUnderWay(trx, workspace_id, id, ['queued'])) {
    if (isOutsider(doer) && !makesRelease(one.type)) continue
    await updateSteps(trx, workspace_id, one.id, { status: 'waiting' }, { status: 'skipped' })
    await updateDeployment(trx, workspace_id, one.id, {
      status: 'cancelled',
      message: `${one.message ?? ''} (replaced before it began by: ${message})`,
      finished_at: new Date(),
    })
    if (one.job_id) await cancel(trx, one.job_id)
    await emit(
      trx,
      doer,
      workspace_id,
      'deployment.cancelled',
      { ...targetOf(application), about: one.id },
      `${one.message}, replaced by: ${message}`,
    )
  }
}
