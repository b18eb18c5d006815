import type { Id } from '../../../contract/shared/ids.ts'
import type { NewJob } from '../../platform/jobs.ts'

/** Queue key: deliveries of one queue are processed in order. */
export const deliveryQueueKey = (of: { installation: number } | { application: Id<'application'> }) =>
  'installation' in of ? `installation:${of.installation}` : `application:${of.application}`

export const handleDeliveriesJob = (workspaceId: Id<'workspace'>, queue: string): NewJob => ({
  kind: 'handle-deliveries',
  payload: { workspace_id: workspaceId, queue },
  key: `deliveries:${workspaceId}:${queue}`,
  lane: 'webhooks',
})
