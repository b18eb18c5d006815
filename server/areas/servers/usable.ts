import { serverBeingCreated, serverDeleting } from '../../errors.ts'
import type { ServerRow } from './store.ts'

type Named = Pick<ServerRow, 'status' | 'name'>

/** Refuses servers that are being created or destroyed. */
export function mustBeUsable(server: Named): void {
  mustStay(server)
  if (server.status === 'provisioning') throw serverBeingCreated(server.name)
}

export function mustStay({ status, name }: Named): void {
  if (status === 'deleting') throw serverDeleting(name)
}
