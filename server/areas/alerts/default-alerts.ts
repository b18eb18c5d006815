import type { z } from 'zod'
import { type AlertKindName, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { httpCheck } from '../../../contract/alerts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { nudge } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { Trx } from '../../tables.ts'
import { toAlertColumns, toAlertDefinition } from './definition.ts'
import { claimDefaultAlerts, insertAlert } from './store.ts'

/** What everybody wants to know of, by its own name where that of the kind says too little. */
const usual: readonly { kind: AlertKindName; name?: string; check?: z.output<typeof httpCheck> }[] = [
  { kind: 'server_unreachable' },
  { kind: 'disk', name: 'Disk nearly full' },
  { kind: 'memory', name: 'Memory nearly full' },
  { kind: 'container_restarting' },
  { kind: 'deployment_failed' },
  { kind: 'certificate_expiry' },
  // At the address of any application there may be a login, or nothing at all without a path: that is an answer too.
  { kind: 'http_check', check: httpCheck.parse({ status: '2xx, 3xx, 4xx' }) },
]

/** Makes the alerts that a workspace begins with, once: whoever deletes one does not get it again. */
export async function createDefaultAlerts(trx: Trx, workspaceId: Id<'workspace'>): Promise<void> {
  if (!(await claimDefaultAlerts(trx, workspaceId))) return
  for (const { name, ...given } of usual) {
    const [id, { kind }] = [newId('alert'), given]
    const columns = toAlertColumns(toAlertDefinition({ ...given, name: name ?? alertKinds[kind].label }))
    await insertAlert(trx, { ...columns, id, workspace_id: workspaceId, kind })
    // Nobody made them, so the audit log holds nothing of them; whoever watches has to know.
    await nudge(trx, workspaceId, 'alert.changed', id)
  }
}
