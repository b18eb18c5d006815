import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { commandGoesOn, commandIsLate, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { presentWhole } from './command.ts'
import type { Outcome } from './follow.ts'
import { followerOf } from './follower.ts'
import { type CommandRow, findCommandRow, insertCommand } from './store.ts'

/** Seconds beyond its time limit for which somebody who waits for it does. */
const grace = 10

interface Wanted {
  command: string
  timeout_seconds: number
  wait: boolean
}

/** Has the server's shell run it. It goes on, and is written down, whether or not anybody waits for it. */
export async function runCommand(ctx: Context, actor: Actor, id: Id<'server'>, wanted: Wanted) {
  const server = await getServerRow(ctx, actor, id)
  const row = await begin(ctx, actor, server, wanted)
  const following = followerOf(ctx).follow(server, row, true)
  if (!wanted.wait) return answer(ctx, row)
  const waiting = new AbortController()
  const late = sleep((row.timeout_seconds + grace) * 1_000, undefined, { signal: waiting.signal, ref: false })
  try {
    const ended = await Promise.race([endOf(ctx, row, following, waiting.signal), late])
    if (!ended) throw commandIsLate(server.name)
    return await answer(ctx, ended)
  } finally {
    waiting.abort()
  }
}

async function endOf(
  ctx: Context,
  row: CommandRow,
  following: Promise<Outcome | undefined>,
  signal: AbortSignal,
): Promise<CommandRow> {
  const outcome = await following
  if (outcome?.problem) throw outcome.problem
  return outcome?.row ?? endElsewhere(ctx, row, signal)
}

/** The command itself is in no event: it may hold a secret, and who may read events may not read commands. */
function begin(ctx: Context, actor: Actor, server: ServerRow, wanted: Wanted): Promise<CommandRow> {
  const { command, timeout_seconds } = wanted
  const { id, workspace_id, name } = server
  return transaction(ctx.db, async (trx) => {
    const row = await insertCommand(trx, {
      id: newId('command'),
      workspace_id,
      server_id: id,
      command,
      timeout_seconds,
      actor_id: actor.user.id,
      actor_name: actor.user.name,
      follower: followerOf(ctx).name,
    })
    await emit(trx, actor, workspace_id, 'command.started', { kind: 'server', id, name }, row.id)
    return row
  })
}

async function answer(ctx: Context, row: CommandRow) {
  const command = await presentWhole(ctx, row)
  return { output: command.output, command }
}

/** Another process sees it to its end. */
async function endElsewhere(
  ctx: Context,
  { workspace_id: workspace, server_id: server, id }: CommandRow,
  signal: AbortSignal,
) {
  while (!followerOf(ctx).isStopping) {
    const row = await findCommandRow(ctx.db, workspace, server, id)
    if (!row) throw notFound('This command')
    if (row.status !== 'running') return row
    await sleep(1_000, undefined, { ref: false, signal })
  }
  throw commandGoesOn()
}
