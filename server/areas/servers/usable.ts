import { serverBeingCreated, serverDeleting } from '../../errors.ts'
import type { ServerRow } from './store.ts'

type ServerState = Pick<ServerRow, 'status' | 'name'>

/** Refuses servers that are being created or destroyed. */
export function mustBeUsable(server: ServerState): void {
  mustNotBeDeleting(server)
  if (server.status === 'provisioning') throw serverBeingCreated(server.name)
}

export function mustNotBeDeleting({ status, name }: ServerState): void {
  if (status === 'deleting') throw serverDeleting(name)
}
