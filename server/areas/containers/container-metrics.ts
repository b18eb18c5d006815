import type { Id } from '../../../contract/shared/ids.ts'
import { nudge } from '../../events.ts'
import type { Db } from '../../tables.ts'
import { updateContainerMetrics } from './store.ts'

export { listRunningContainerIds } from './store.ts'

/** Of one container that runs. */
export interface ContainerMetrics {
  id: string
  /** In cores. */
  cpu: number
  memory_used: number
  memory_limit: number
}

/** Puts the latest figures of all that run where the list of containers has them, and tells those who look at it. */
export async function saveContainerMetrics(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  figures: readonly ContainerMetrics[],
): Promise<void> {
  await updateContainerMetrics(db, workspaceId, serverId, figures)
  await nudge(db, workspaceId, 'container.changed', serverId)
}
