import type { Listeners } from '../../outbox.ts'
import { createDefaultAlerts } from './default-alerts.ts'

export const listeners: Listeners[] = [
  { 'workspace.created': (_, trx, { workspace_id }) => createDefaultAlerts(trx, workspace_id) },
]
