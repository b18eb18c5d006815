import { forbidden } from '../../errors.ts'
import { type Actor, holds } from '../../route.ts'
import type { ServerRow } from './store.ts'

type Who = Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>

/**
 * Decides for everything that equals root on a server: commands and terminals there, host mounts, privileged options, the
 * Docker socket, containers with host access or of others. On Slipway's own machine it is the operator's alone.
 */
export const mayActAsRoot = (actor: Who, server: Pick<ServerRow, 'kind'>): boolean =>
  holds(actor, 'servers.root') && (server.kind !== 'local' || isOperator(actor))

/** No API token operates this Slipway, whoever made it. */
const isOperator = ({ isInstanceOwner, via }: Who) => isInstanceOwner && via.kind === 'session'

/** `what` begins the sentence that is told to whoever may not. */
export function mustActAsRoot(actor: Who, server: Pick<ServerRow, 'kind' | 'name'>, what: string): void {
  if (mayActAsRoot(actor, server)) return
  throw forbidden(
    server.kind === 'local'
      ? `${what} equals root on the machine that Slipway runs on, which is for instance owners only, signed in and not with an API token.`
      : `${what} equals root on ${server.name}, which your role does not allow. Ask an admin.`,
  )
}
