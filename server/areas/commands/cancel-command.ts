import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { cancelDetached } from '../../remote/detached.ts'
import type { Actor } from '../../route.ts'
import { reach } from '../servers/reach.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { getCommandRow, type Named, presentWhole } from './command.ts'
import { isRunning, tellCancelled } from './store.ts'

const lookEvery = 50
/** A program that does not heed the first signal is killed after two seconds; then its output is read to the end. */
const patience = 10_000

/** Ends it with all that it began; one that has ended already stays as it is. */
export async function cancelCommand(ctx: Context, actor: Actor, named: Named) {
  const server = await getServerRow(ctx, actor, named.id)
  const row = await getCommandRow(ctx, actor, named)
  if (row.status !== 'running') return presentWhole(ctx, row)
  await note(ctx, actor, server, named)
  // Who follows it may not have begun it yet, or cannot reach the server just now, and does the same as soon as it can.
  await tellCancelled(ctx.db, actor.workspace.id, row.id)
  await reach(ctx, server, (host) => cancelDetached(host, row.id))
  return presentWhole(ctx, await ended(ctx, actor, named))
}

const note = (ctx: Context, actor: Actor, { id, name }: ServerRow, named: Named) =>
  transaction(ctx.db, async (trx) => {
    if (!(await isRunning(trx, actor.workspace.id, named.command_id))) return
    await emit(
      trx,
      actor,
      actor.workspace.id,
      'command.cancelled',
      { kind: 'server', id, name },
      named.command_id,
    )
  })

async function ended(ctx: Context, actor: Actor, named: Named) {
  for (const until = Date.now() + patience; ;) {
    const row = await getCommandRow(ctx, actor, named)
    if (row.status !== 'running' || Date.now() > until) return row
    await sleep(lookEvery)
  }
}
