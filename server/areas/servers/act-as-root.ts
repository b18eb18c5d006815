import { forbidden } from '../../errors.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { ServerRow } from './store.ts'

type RootActor = Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>

/**
 * Decides for everything that equals root on a server: commands and terminals there, host mounts, privileged options, the
 * Docker socket, containers with host access or of others. On Slipway's own machine it is the operator's alone.
 */
export const canActAsRoot = (actor: RootActor, server: Pick<ServerRow, 'kind'>): boolean =>
  hasPermission(actor, 'servers.root') && (server.kind !== 'local' || isOperator(actor))

/** API tokens never have operator rights. */
const isOperator = ({ isInstanceOwner, via }: RootActor) => isInstanceOwner && via.kind === 'session'

type Machine = Pick<ServerRow, 'kind' | 'name'>

export function assertCanActAsRoot(actor: RootActor, server: Machine, action: string): void {
  if (canActAsRoot(actor, server)) return
  throw forbidden(
    server.kind === 'local'
      ? `Only instance owners can ${action} on the machine that Slipway runs on. Log in to do this; API tokens cannot.`
      : `Only admins can ${action} on ${server.name}. Ask an admin.`,
  )
}

export function assertCanOperate(actor: RootActor, server: Machine, action: string): void {
  if (server.kind === 'local') assertCanActAsRoot(actor, server, action)
}
