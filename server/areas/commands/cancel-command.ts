import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { cancelDetached } from '../../remote/detached.ts'
import type { Actor } from '../../route.ts'
import { getServerHost } from '../servers/server-host.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { type CommandRef, emitCommandEvent, getCommandRow, presentWithOutput } from './command.ts'
import { type CommandRow, requestCancel } from './store.ts'

const lookEvery = 50
/** Milliseconds that the process that follows the command gets before this one cancels it. */
const followerTimeout = 3_000
/** A program that ignores the first signal is killed after two seconds; then its remaining output is read. */
const cancelTimeout = 10_000
/** An unreachable server may be back soon, but the request must not wait long. */
const unreachableTimeout = 2_000

/** The request is stored, so that it takes effect after an outage and a takeover. */
export async function cancelCommand(ctx: Context, actor: Actor, named: CommandRef) {
  const server = await getServerRow(ctx, actor, named.id)
  const row = await getCommandRow(ctx, actor, named)
  if (row.status !== 'running') return presentWithOutput(ctx, row)
  await note(ctx, actor, server, row)
  const trying = ctx.commandFollower().cancel(row.id) ?? cancelElsewhere(ctx, actor, server, named)
  return presentWithOutput(ctx, await ended(ctx, actor, named, cancelTimeout, trying))
}

async function cancelElsewhere(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  named: CommandRef,
): Promise<void> {
  const { status } = await ended(ctx, actor, named, followerTimeout)
  if (status === 'running') await cancelDetached(getServerHost(ctx, server), named.command_id)
}

const note = (ctx: Context, actor: Actor, server: ServerRow, row: CommandRow) =>
  transaction(ctx.db, async (trx) => {
    if (await requestCancel(trx, actor.workspace.id, row.id))
      await emitCommandEvent(trx, actor, 'command.cancelled', row, server.name)
  })

async function ended(ctx: Context, actor: Actor, named: CommandRef, most: number, trying?: Promise<void>) {
  const began = Date.now()
  let until = began + most
  trying?.catch(() => (until = began + unreachableTimeout))
  for (;;) {
    const row = await getCommandRow(ctx, actor, named)
    if (row.status !== 'running' || Date.now() > until) return row
    await sleep(lookEvery)
  }
}
