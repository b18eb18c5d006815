import { serverBeingMade, serverDeleting } from '../../errors.ts'
import type { ServerRow } from './store.ts'

type Named = Pick<ServerRow, 'status' | 'name'>

/** What a cloud still makes, or destroys already, is nobody's to work with. */
export function mustBeUsable(server: Named): void {
  mustStay(server)
  if (server.status === 'provisioning') throw serverBeingMade(server.name)
}

export function mustStay({ status, name }: Named): void {
  if (status === 'deleting') throw serverDeleting(name)
}
