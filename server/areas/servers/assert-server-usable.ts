import { serverBeingCreated, serverDeleting } from '../../errors.ts'
import type { ServerRow } from './server.ts'

type ServerState = Pick<ServerRow, 'status' | 'name'>

export function assertServerUsable(server: ServerState): void {
  assertNotDeleting(server)
  if (server.status === 'provisioning') throw serverBeingCreated(server.name)
}

export function assertNotDeleting({ status, name }: ServerState): void {
  if (status === 'deleting') throw serverDeleting(name)
}
