import { forbidden } from '../../errors.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { ServerRow } from './server.ts'

type RootActor = Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>

/**
 * Decides everything that equals root on a server: commands, terminals, host mounts, privileged options, the Docker
 * socket, and control of containers with host access or of others. On This machine, only instance owners may do this.
 */
export const canActAsRoot = (actor: RootActor, server: Pick<ServerRow, 'kind'>): boolean =>
  hasPermission(actor, 'servers.root') && (server.kind !== 'local' || isOperator(actor))

/** API tokens never have the rights of an instance owner. */
const isOperator = ({ isInstanceOwner, via }: RootActor) => isInstanceOwner && via.kind === 'session'

type Machine = Pick<ServerRow, 'kind' | 'name'>

export function assertCanActAsRoot(actor: RootActor, server: Machine, action: string): void {
  if (canActAsRoot(actor, server)) return
  throw forbidden(
    server.kind === 'local'
      ? `Only instance owners can ${action} on the machine that Slipway runs on. Log in to do this; API tokens cannot.`
      : `Ask a workspace admin to ${action} on ${server.name}.`,
  )
}

export function assertCanOperate(actor: RootActor, server: Machine, action: string): void {
  if (server.kind === 'local') assertCanActAsRoot(actor, server, action)
}
