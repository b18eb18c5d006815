import type { z } from 'zod'
import type { terminalMessage } from '../../../contract/terminals.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { emit, type Target } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { RemoteShell, TerminalSize } from '../../remote/host.ts'
import type { Actor, SocketHandler } from '../../route.ts'
import { assertCanEnter } from '../containers/container-access.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { canActAsRoot, assertCanActAsRoot } from '../servers/root-access.ts'
import { openContainerShell, openServerShell } from './open-shell.ts'
import { type ShellLoss, Terminal, type TerminalSocket } from './terminal.ts'
import { inspectContainer } from '../containers/docker-container.ts'

export interface OpenedShell {
  shell: RemoteShell
  target: Target
  detail?: string
  toLoss: (error: unknown) => Promise<ShellLoss>
}

/**
 * Opens a terminal. Most errors are sent over the opened socket, because browsers do not show why a socket was refused.
 */
export async function openTerminal(
  ctx: Context,
  actor: Actor,
  { id, cid }: { id: Id<'server'>; cid?: string | undefined },
  { session, ...size }: TerminalSize & { session?: string | undefined },
) {
  const server = await getServerRow(ctx, actor, id)
  const target = await resolveTarget(ctx, actor, server, cid)
  const holder = { workspace: actor.workspace.id, user: actor.user.id, server: id, container: cid }
  const handleSocket: SocketHandler<z.input<typeof terminalMessage>> = async (socket) => {
    const detached = session === undefined || !target ? undefined : ctx.terminals.find(session, holder)
    if (detached) return detached.resume(socket, size)
    try {
      await begin(ctx, actor, { server, cid }, size, socket)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      socket.sendMessage({ type: 'end', reason: error.message, lost: false })
      socket.close()
    }
  }
  // Without a connection, the container cannot be checked, so the highest permission is required until the shell opens.
  const asRoot = target?.asRoot ?? canActAsRoot(actor, server)
  if (asRoot) handleSocket.isStillAllowed = (now) => canActAsRoot(now, server)
  return handleSocket
}

async function resolveTarget(ctx: Context, actor: Actor, server: ServerRow, cid: string | undefined) {
  if (cid === undefined) {
    assertCanActAsRoot(actor, server, 'open a terminal')
    return { asRoot: true }
  }
  try {
    return await assertCanEnter(ctx, actor, server, await inspectContainer(ctx, server, cid))
  } catch (error) {
    if (error instanceof Problem && error.status !== 404 && error.status !== 403) return undefined
    throw error
  }
}

async function begin(
  ctx: Context,
  actor: Actor,
  { server, cid }: { server: ServerRow; cid: string | undefined },
  size: TerminalSize,
  socket: TerminalSocket,
) {
  const terminals = ctx.terminals
  const holder = { workspace: actor.workspace.id, user: actor.user.id, server: server.id, container: cid }
  const slot = terminals.take(holder, server.name)
  let gone = false
  socket.onClose(() => (gone = true))
  socket.onDismiss((reason) => {
    gone = true
    socket.sendMessage({ type: 'end', reason, lost: false })
  })
  let opened: OpenedShell | undefined
  try {
    opened = await (cid === undefined
      ? openServerShell(ctx, server, size)
      : openContainerShell(ctx, actor, server, cid, size))
    // The server is checked again, because a deletion before this connection would not end the shell.
    await getServerRow(ctx, actor, server.id)
    // The audit event must exist before the shell is handed out.
    if (!gone) await note(ctx, actor, opened)
  } catch (error) {
    terminals.release(slot)
    opened?.shell.close()
    throw error
  }
  const { shell, toLoss } = opened
  slot.terminal = new Terminal(shell, {
    toLoss: async (error) => (await toServerLoss(ctx, actor, server)) ?? toLoss(error),
    onEnd: () => terminals.release(slot),
  })
  if (gone) slot.terminal.end('The client disconnected.')
  else slot.terminal.attach(socket)
}

const note = (ctx: Context, actor: Actor, { target, detail }: OpenedShell) =>
  transaction(ctx.db, (trx) => emit(trx, actor, actor.workspace.id, 'terminal.opened', target, detail))

async function toServerLoss(ctx: Context, actor: Actor, server: ServerRow): Promise<ShellLoss | undefined> {
  const deleted = await getServerRow(ctx, actor, server.id).then(
    () => false,
    (why) => why instanceof Problem,
  )
  return deleted ? { reason: `${server.name} was deleted.`, lost: false } : undefined
}
