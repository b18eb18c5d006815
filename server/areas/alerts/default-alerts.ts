import type { z } from 'zod'
import { type AlertKindName, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { httpCheck } from '../../../contract/alerts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { nudge } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { Trx } from '../../tables.ts'
import { toAlertColumns, toAlertDefinition } from './definition.ts'
import { insertAlert } from './store.ts'

const defaults: readonly { kind: AlertKindName; name?: string; check?: z.output<typeof httpCheck> }[] = [
  { kind: 'server_unreachable' },
  { kind: 'disk', name: 'Disk nearly full' },
  { kind: 'memory', name: 'Memory nearly full' },
  { kind: 'container_restarting' },
  { kind: 'deployment_failed' },
  { kind: 'certificate_expiry' },
  // Accepts 4xx, because the root of an application may require a login or not exist.
  { kind: 'http_check', check: httpCheck.parse({ status: '2xx, 3xx, 4xx' }) },
]

export async function createDefaultAlerts(trx: Trx, workspaceId: Id<'workspace'>): Promise<void> {
  for (const { kind, name = alertKinds[kind].label, ...rest } of defaults) {
    const id = newId('alert')
    const columns = toAlertColumns(toAlertDefinition({ kind, name, ...rest }))
    await insertAlert(trx, { ...columns, id, workspace_id: workspaceId, kind })
    // No initiator created these alerts, so there is no audit event; open consoles still need the update.
    await nudge(trx, workspaceId, 'alert.changed', id)
  }
}
