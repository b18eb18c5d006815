import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { ConnectionLost } from '../../remote/errors.ts'
import type { TerminalSize } from '../../remote/host.ts'
import { withServerHost, toServerProblem } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { OpenedShell } from './open-terminal.ts'
import type { ShellLoss } from './terminal.ts'

export async function openServerShell(
  ctx: Context,
  server: ServerRow,
  size: TerminalSize,
): Promise<OpenedShell> {
  return {
    shell: await withServerHost(ctx, server, (host) => host.shell(size)),
    target: { kind: 'server', id: server.id, name: server.name },
    lossOf: async (error) => toShellLoss(server, error),
  }
}

export function toShellLoss(server: ServerRow, error: unknown): ShellLoss {
  const said = error instanceof ConnectionLost ? undefined : toServerProblem(server, error)
  const reason = said instanceof Problem ? said.message : `The connection to ${server.name} was lost.`
  return { reason: reason, lost: true }
}
