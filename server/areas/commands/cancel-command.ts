import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { cancelDetached } from '../../remote/detached.ts'
import type { Actor } from '../../route.ts'
import { hostOf } from '../servers/reach.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { getCommandRow, type CommandRef, presentWithOutput } from './command.ts'
import { commandFollower } from './command-follower.ts'
import { type CommandRow, requestCancel } from './store.ts'
import { emitCommandEvent } from './command-events.ts'

const lookEvery = 50
/** Milliseconds that another process gets to end it before this one does. */
const turn = 3_000
/** A program that does not heed the first signal is killed after two seconds; then its output is read to the end. */
const patience = 10_000
/** A server that cannot be reached may be back at once; but who asked is not kept waiting for it. */
const patienceWithAway = 2_000

/**
 * Ends it with all that it began; one that has ended already stays as it is. The wish is written down, so that it holds
 * while the server is away, and whoever follows the command by then: it is answered as it stands, still running.
 */
export async function cancelCommand(ctx: Context, actor: Actor, named: CommandRef) {
  const server = await getServerRow(ctx, actor, named.id)
  const row = await getCommandRow(ctx, actor, named)
  if (row.status !== 'running') return presentWithOutput(ctx, row)
  await note(ctx, actor, server, row)
  const trying = commandFollower(ctx).cancel(row.id) ?? cancelElsewhere(ctx, actor, server, named)
  return presentWithOutput(ctx, await ended(ctx, actor, named, patience, trying))
}

/** Who follows it knows best whether it was begun; but they may be gone. */
async function cancelElsewhere(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  named: CommandRef,
): Promise<void> {
  const { status } = await ended(ctx, actor, named, turn)
  if (status === 'running') await cancelDetached(hostOf(ctx, server), named.command_id)
}

/** Told once, however often it is asked for. */
const note = (ctx: Context, actor: Actor, server: ServerRow, row: CommandRow) =>
  transaction(ctx.db, async (trx) => {
    if (await requestCancel(trx, actor.workspace.id, row.id))
      await emitCommandEvent(trx, actor, 'command.cancelled', row, server.name)
  })

/** The command once it has ended, or as it is after so long; sooner when `trying` to end it fails. */
async function ended(ctx: Context, actor: Actor, named: CommandRef, most: number, trying?: Promise<void>) {
  const began = Date.now()
  let until = began + most
  trying?.catch(() => (until = began + patienceWithAway))
  for (;;) {
    const row = await getCommandRow(ctx, actor, named)
    if (row.status !== 'running' || Date.now() > until) return row
    await sleep(lookEvery)
  }
}
