import type { Id } from '../../../contract/shared/ids.ts'
import { nudge } from '../../events.ts'
import type { Db } from '../../tables.ts'
import { updateContainerMetrics } from './store.ts'

export { listRunningContainerIds } from './store.ts'

export interface ContainerMetrics {
  id: string
  cpu: number
  memory_used: number
  memory_limit: number
}

export async function saveContainerMetrics(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  figures: readonly ContainerMetrics[],
): Promise<void> {
  await updateContainerMetrics(db, workspaceId, serverId, figures)
  await nudge(db, workspaceId, 'container.changed', serverId)
}
