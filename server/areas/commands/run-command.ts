import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { commandStillRunning, commandResultLate, notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { getRunningContainer, type RunningContainer } from '../containers/running-container.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { assertCanActAsRoot } from '../servers/root-access.ts'
import { assertServerUsable } from '../servers/assert-server-usable.ts'
import { emitCommandEvent, presentWithOutput, presentWithStreams, sealCommandText } from './command.ts'
import type { CommandOutcome } from './follow-command.ts'
import { type CommandRow, findCommandRow, insertCommand } from './store.ts'

/** Seconds beyond the command timeout, which `remote/detached.ts` enforces on the server. */
const grace = 10

interface NewCommand {
  command: string
  timeout_seconds: number
  wait: boolean
}

export async function runCommand(ctx: Context, actor: Actor, id: Id<'server'>, input: NewCommand) {
  const server = await getServerRow(ctx, actor, id)
  assertCanActAsRoot(actor, server, 'run commands')
  const command = await presentWithOutput(ctx, await run(ctx, actor, { server }, input))
  return { output: command.output, command }
}

export async function runContainerCommand(
  ctx: Context,
  actor: Actor,
  { id, cid }: { id: Id<'server'>; cid: string },
  input: NewCommand,
) {
  const server = await getServerRow(ctx, actor, id)
  const container = await getRunningContainer(ctx, actor, server, cid)
  const { streams, command } = await presentWithStreams(
    ctx,
    await run(ctx, actor, { server, container }, input),
  )
  return { output: { output: streams }, command }
}

interface CommandTarget {
  server: ServerRow
  container?: RunningContainer
}

/** The command continues even when the request ends. */
async function run(ctx: Context, actor: Actor, place: CommandTarget, input: NewCommand): Promise<CommandRow> {
  const { server } = place
  assertServerUsable(server)
  const row = await begin(ctx, actor, place, input)
  const following = ctx.commandFollower().follow(server, row, true)
  if (!input.wait) return row
  const waiting = new AbortController()
  const late = sleep((row.timeout_seconds + grace) * 1_000, undefined, { signal: waiting.signal, ref: false })
  try {
    const ended = await Promise.race([waitForEnd(ctx, row, following, waiting.signal), late])
    if (!ended) throw commandResultLate(server.name)
    return ended
  } finally {
    waiting.abort()
  }
}

async function waitForEnd(
  ctx: Context,
  row: CommandRow,
  following: Promise<CommandOutcome | undefined>,
  signal: AbortSignal,
): Promise<CommandRow> {
  const outcome = await following
  if (outcome?.problem) throw outcome.problem
  return outcome?.row ?? endElsewhere(ctx, row, signal)
}

/** Events omit the command, because it may contain secrets and readers of events may not read commands. */
function begin(ctx: Context, actor: Actor, { server, container }: CommandTarget, input: NewCommand) {
  const { command, timeout_seconds } = input
  const { workspace_id } = server
  return transaction(ctx.db, async (trx) => {
    const id = newId('command')
    const row = await insertCommand(trx, {
      id,
      workspace_id,
      server_id: server.id,
      container_id: container?.id ?? null,
      container_name: container?.name ?? null,
      command_sealed: sealCommandText(ctx, id, command),
      timeout_seconds,
      as_root: container?.asRoot ?? true,
      actor_id: actor.user.id,
      actor_name: actor.user.name,
      follower: ctx.commandFollower().name,
    })
    await emitCommandEvent(trx, actor, 'command.started', row, server.name)
    return row
  })
}

async function endElsewhere(
  ctx: Context,
  { workspace_id: workspace, server_id: server, id }: CommandRow,
  signal: AbortSignal,
) {
  while (!ctx.commandFollower().isStopping) {
    const row = await findCommandRow(ctx.db, workspace, server, id)
    if (!row) throw notFound('This command')
    if (row.status !== 'running') return row
    await sleep(1_000, undefined, { ref: false, signal })
  }
  throw commandStillRunning()
}
