import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { listUsedPorts } from '../../applications/entries/used-ports.ts'
import type { LiftedPort } from '../../compose/ports.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import { claimPublished } from '../containers/published.ts'
import { listPublished } from '../containers/routed.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/** Which of the ports that a compose file publishes cannot be had on the server, as sentences. None is taken by this. */
export async function portProblems(
  { ctx, application, server }: Of,
  ports: LiftedPort[],
  signal: AbortSignal,
): Promise<string[]> {
  if (ports.length === 0) return []
  const claimed = await transaction(ctx.db, (trx) => claimPublished(trx, server, application, ports))
  if (claimed.length > 0) return claimed
  const ours = await listPublished(ctx.db, application)
  const taken = await listUsedPorts(hostOf(ctx, server), ports, { signal, ours })
  return [...taken].map(([port, by]) => whyTaken(server, port, by))
}

export const whyTaken = ({ name }: Pick<ServerRow, 'name'>, port: number, by: string | null) =>
  `Port ${port} on ${name} is already in use${by ? ` by ${by}` : ''}. Stop it, or publish another port.`
