import { conflict } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { lockUnderWay } from './store.ts'

/** What somebody has stopped, or is about to, stays so until somebody starts it: a push or a hook does not. */
export async function mustNotBeStopped(
  trx: Trx,
  { workspace_id, id, name, wanted }: ApplicationRow,
): Promise<void> {
  const underWay = await lockUnderWay(trx, workspace_id, id)
  // Who has asked to have it started, or deployed, means what comes after as well.
  const last = underWay.findLast(({ cancel_requested_at }) => cancel_requested_at === null)
  const type = last?.type ?? (wanted === 'stopped' ? 'stop_application' : undefined)
  if (type === 'stop_application')
    throw conflict(
      'stays_stopped',
      `${name} was stopped by somebody, so nothing is deployed. Start it, or deploy it by hand; from then on this deploys again.`,
    )
}
