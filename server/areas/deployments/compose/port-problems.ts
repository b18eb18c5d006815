import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { listUsedPorts } from '../../applications/entries/used-ports.ts'
import type { ProxyPort } from '../../compose/ports.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import { claimPublishedPorts } from '../containers/published-ports.ts'
import { listPublishedPorts } from '../containers/routed.ts'

interface ComposeScope {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/** Lists published ports that are not available on the server, without claiming any. */
export async function portProblems(
  { ctx, application, server }: ComposeScope,
  ports: ProxyPort[],
  signal: AbortSignal,
): Promise<string[]> {
  if (ports.length === 0) return []
  const claimed = await transaction(ctx.db, (trx) => claimPublishedPorts(trx, server, application, ports))
  if (claimed.length > 0) return claimed
  const ours = await listPublishedPorts(ctx.db, application)
  const taken = await listUsedPorts(hostOf(ctx, server), ports, { signal, ours })
  return [...taken].map(([port, by]) => portInUseMessage(server, port, by))
}

export const portInUseMessage = ({ name }: Pick<ServerRow, 'name'>, port: number, by: string | null) =>
  `Port ${port} on ${name} is already in use${by ? ` by ${by}` : ''}. Stop it, or publish another port.`
