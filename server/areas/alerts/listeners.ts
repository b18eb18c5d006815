import type { Listeners } from '../../outbox.ts'
import { makeUsualAlerts } from './usual-alerts.ts'

export const listeners: Listeners[] = [
  { 'workspace.created': (_, trx, { workspace_id }) => makeUsualAlerts(trx, workspace_id) },
]
