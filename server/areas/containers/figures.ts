import type { Id } from '../../../contract/shared/ids.ts'
import { nudge } from '../../events.ts'
import type { Db } from '../../tables.ts'
import { updateFigures } from './store.ts'

export { listRunning } from './store.ts'

/** Of one container that runs. */
export interface Figures {
  id: string
  /** In cores. */
  cpu: number
  memory_used: number
  memory_limit: number
}

/** Puts the latest figures of all that run where the list of containers has them, and tells those who look at it. */
export async function noteFigures(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  figures: readonly Figures[],
): Promise<void> {
  await updateFigures(db, workspaceId, serverId, figures)
  await nudge(db, workspaceId, 'container.changed', serverId)
}
