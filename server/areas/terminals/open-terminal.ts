import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { Lost } from '../../remote/errors.ts'
import type { Shell, Size } from '../../remote/host.ts'
import type { Actor } from '../../route.ts'
import { reach, sayWhy } from '../servers/reach.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { Terminal, type TerminalSocket } from './terminal.ts'
import { terminalsOf } from './terminals.ts'

/**
 * A server that cannot be reached is no refusal of the socket but the first thing said on it: of a refused one a
 * browser is told nothing.
 */
export async function openTerminal(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  { session, ...size }: Size & { session?: string | undefined },
) {
  const server = await getServerRow(ctx, actor, id)
  const holder = { workspace: actor.workspace.id, user: actor.user.id, server: id }
  return async (socket: TerminalSocket): Promise<void> => {
    const kept = session === undefined ? undefined : terminalsOf(ctx).find(session, holder)
    if (kept) return kept.resume(socket, size)
    try {
      await begin(ctx, actor, server, size, socket)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      socket.tell({ type: 'end', why: error.message, lost: false })
      socket.close()
    }
  }
}

async function begin(ctx: Context, actor: Actor, server: ServerRow, size: Size, socket: TerminalSocket) {
  const terminals = terminalsOf(ctx)
  const place = terminals.take(
    { workspace: actor.workspace.id, user: actor.user.id, server: server.id },
    server.name,
  )
  let gone = false
  socket.onClose(() => (gone = true))
  socket.onDismiss((why) => {
    gone = true
    socket.tell({ type: 'end', why, lost: false })
  })
  let shell: Shell | undefined
  try {
    shell = await reach(ctx, server, (host) => host.shell(size))
    // One that was deleted before this connection was there has nobody who would end it.
    await getServerRow(ctx, actor, server.id)
    // Nobody gets a shell that the audit log does not know of.
    if (!gone) await note(ctx, actor, server)
  } catch (error) {
    terminals.release(place)
    shell?.close()
    throw error
  }
  place.terminal = new Terminal(shell, {
    lossOf: (error) => lossOf(ctx, actor, server, error),
    onOver: () => terminals.release(place),
  })
  if (gone) place.terminal.end('Nobody is here any longer.')
  else place.terminal.attach(socket)
}

function note(ctx: Context, actor: Actor, server: ServerRow) {
  const target = { kind: 'server', id: server.id, name: server.name }
  return transaction(ctx.db, (trx) => emit(trx, actor, actor.workspace.id, 'terminal.opened', target))
}

/** What whoever used the shell is told when it was lost. */
async function lossOf(ctx: Context, actor: Actor, server: ServerRow, error: unknown) {
  const deleted = await getServerRow(ctx, actor, server.id).then(
    () => false,
    (why) => why instanceof Problem,
  )
  if (deleted) return { why: `${server.name} was deleted.`, lost: false }
  const said = error instanceof Lost ? undefined : sayWhy(server, error)
  const why = said instanceof Problem ? said.message : `The connection to ${server.name} was lost.`
  return { why, lost: true }
}
