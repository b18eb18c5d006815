import { emit } from '../../events.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import type { CommandRow } from './store.ts'

/** Events omit the command text, which only members with permission may read. */
export function emitCommandEvent(
  trx: Trx,
  actor: Actor,
  type: 'command.started' | 'command.cancelled',
  row: CommandRow,
  serverName: string,
): Promise<void> {
  const { container_id: container } = row
  const target =
    container === null
      ? { kind: 'server', id: row.server_id, name: serverName }
      : { kind: 'container', id: container, name: row.container_name ?? container.slice(0, 12) }
  const detail = container === null ? row.id : `on ${serverName}, ${row.id}`
  return emit(trx, actor, row.workspace_id, type, target, detail)
}
