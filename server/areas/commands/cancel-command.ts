import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { cancelDetached } from '../../remote/detached.ts'
import type { Actor } from '../../route.ts'
import { reach } from '../servers/reach.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { getCommandRow, type Named, presentWhole } from './command.ts'
import { followerOf } from './follower.ts'
import { isRunning, tellCancelled } from './store.ts'

const lookEvery = 50
/** Milliseconds that another process gets to end it before this one does. */
const turn = 3_000
/** A program that does not heed the first signal is killed after two seconds; then its output is read to the end. */
const patience = 10_000

/** Ends it with all that it began; one that has ended already stays as it is. */
export async function cancelCommand(ctx: Context, actor: Actor, named: Named) {
  const server = await getServerRow(ctx, actor, named.id)
  const row = await getCommandRow(ctx, actor, named)
  if (row.status !== 'running') return presentWhole(ctx, row)
  await note(ctx, actor, server, named)
  if (!(await followerOf(ctx).cancel(row.id))) await cancelElsewhere(ctx, actor, server, named)
  return presentWhole(ctx, await ended(ctx, actor, named, patience))
}

/** Who follows it knows best whether it was begun; but they may be gone. */
async function cancelElsewhere(ctx: Context, actor: Actor, server: ServerRow, named: Named): Promise<void> {
  await tellCancelled(ctx.db, actor.workspace.id, named.command_id)
  const { status } = await ended(ctx, actor, named, turn)
  if (status !== 'running') return
  await reach(ctx, server, (host) => cancelDetached(host, named.command_id))
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

/** The command once it has ended, or as it is after so long. */
async function ended(ctx: Context, actor: Actor, named: Named, most: number) {
  for (const until = Date.now() + most; ;) {
    const row = await getCommandRow(ctx, actor, named)
    if (row.status !== 'running' || Date.now() > until) return row
    await sleep(lookEvery)
  }
}
