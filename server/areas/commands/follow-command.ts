import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { Problem, serverFailed } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import { transaction } from '../../platform/transaction.ts'
import { type DetachedResult, StartFailed, type OutputChunk, runDetached } from '../../remote/detached.ts'
import { ConnectionLost, RemoteError, RemoteTimeout } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { commandInContainer } from '../../remote/container/container-command.ts'
import { shellCommand } from '../../remote/shell-command.ts'
import { appendOutput } from '../outputs/output.ts'
import { hostOf, toServerProblem } from '../servers/reach.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import { OutputBatch } from './output-batch.ts'
import { toCommandResult, failedResult, unreachableResult } from './command-result.ts'
import { ContainerOutput } from './container-output.ts'
import {
  saveOffsets,
  type CommandRow,
  endCommand,
  type CommandResult,
  findFollowedCommand,
  markStarted,
} from './store.ts'
import { openCommandText } from './command-text.ts'

/** Bytes of each stream that are kept. */
const mostOutput = 1_048_576
/** Milliseconds beyond its time limit for which a server that cannot be reached is waited for. */
const unreachableLimitMs = 600_000
const longestPause = 2_000

export interface FollowedCommand {
  row: CommandRow
  /** This very process has just made it: nothing of it ran before. */
  fresh: boolean
  /** Aborted when it is no longer this process that follows it. */
  signal: AbortSignal
}

export interface CommandOutcome {
  row: CommandRow
  /** Why it could not even be begun. */
  problem?: Problem
}

/** Another process follows it by now; or it was deleted, with its server. */
export class LeaseLost extends Error {}

/** Sees a command to its end, through lost connections, and on from where another process stopped. */
export async function followCommand(
  ctx: Context,
  server: ServerRow,
  followed: FollowedCommand,
): Promise<CommandOutcome> {
  const { fresh, signal } = followed
  let [row, heard, at] = [followed.row, Date.now(), server]
  for (let failures = 0; ; failures++) {
    const from = { stdout: row.stdout_offset, stderr: row.stderr_offset }
    const batch = new OutputBatch(from)
    const inside = row.container_id === null ? undefined : new ContainerOutput(row, from)
    try {
      const host = hostOf(ctx, at)
      const add = (piece: OutputChunk) => batch.add(inside ? inside.take(piece) : piece)
      const finish = await readAll(ctx, host, row, { batch, add }, signal)
      batch.end(finish.truncated, mostOutput)
      const ending = inside ? await inside.ending(ctx, at, row, finish) : toCommandResult(row, finish)
      return { row: await end(ctx, row, batch, ending) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RemoteError)) throw error
      await write(ctx, row, batch)
      const told = batch.written.stdout + batch.written.stderr > from.stdout + from.stderr
      if (told) [heard, failures] = [Date.now(), 0]
      else if (error instanceof StartFailed || (fresh && failures === 0 && !mayHaveRun(error)))
        return await fail(ctx, at, row, error)
      if (Date.now() - heard > row.timeout_seconds * 1_000 + unreachableLimitMs)
        return { row: await end(ctx, row, batch, unreachableResult) }
    }
    await sleep(Math.min(100 * 2 ** failures, longestPause), undefined, { signal })
    row = await asItIs(ctx, row)
    at = await whereItIs(ctx, row)
  }
}

/** Reads until the program has ended; what was read is written down as it comes. */
async function readAll(
  ctx: Context,
  host: Host,
  row: CommandRow,
  { batch, add }: { batch: OutputBatch; add: (piece: OutputChunk) => void },
  signal: AbortSignal,
): Promise<DetachedResult> {
  const leave = new AbortController()
  let noting: Promise<void> | undefined
  const pieces = runDetached(
    host,
    {
      id: row.id,
      command: commandOf(ctx, host, row),
      limitSeconds: row.timeout_seconds,
      maxBytes: mostOutput,
    },
    // One that somebody wants to end may have been started all the same, but is not any more.
    { ...batch.written, isStarted: row.begun_at !== null || row.cancel_requested_at !== null },
    AbortSignal.any([signal, leave.signal]),
    () => {
      noting = begun(ctx, row)
      noting.catch((error: unknown) => leave.abort(error))
    },
  )
  const next = () => {
    const coming = pieces.next()
    // When writing fails nobody waits for it any more.
    coming.catch(() => {})
    return coming
  }
  try {
    for (let coming = next(); ;) {
      const came = await (batch.isEmpty ? coming : Promise.race([coming, sleep(batch.due, undefined)]))
      if (came?.done) return came.value
      if (came) add(came.value)
      if (came) coming = next()
      if (!came || batch.isFull) await write(ctx, row, batch)
    }
  } finally {
    leave.abort()
    await noting
  }
}

/** The one place where text of a person is code: they asked for a shell, of the server or of a container, to read it. */
const commandOf = (ctx: Context, { target }: Host, row: CommandRow) =>
  row.container_id === null
    ? shellCommand(openCommandText(ctx, row))
    : commandInContainer(target, row.container_id, row.id, openCommandText(ctx, row))

/** Once this is written down it is never started again: should the server forget it, it is lost. */
async function begun(ctx: Context, row: CommandRow): Promise<void> {
  if (!(await markStarted(ctx.db, row.workspace_id, row))) throw new LeaseLost()
}

/** The text and how far it reaches, both or neither: no line is lost or told twice. */
async function write(ctx: Context, row: CommandRow, batch: OutputBatch): Promise<void> {
  if (batch.isEmpty) return
  await transaction(ctx.db, (trx) => save(ctx, trx, row, batch))
  batch.clear()
}

async function save(ctx: Context, trx: Trx, row: CommandRow, batch: OutputBatch): Promise<void> {
  const { pieces, to } = batch.content
  if (!(await saveOffsets(trx, row.workspace_id, row, batch.written, to))) throw new LeaseLost()
  await appendOutput(ctx, trx, row.workspace_id, row.id, pieces)
}

/** The last of its output and how it ended, in one. */
async function end(
  ctx: Context,
  row: CommandRow,
  batch: OutputBatch,
  ending: CommandResult,
): Promise<CommandRow> {
  const ended = batch.isEmpty
    ? await endCommand(ctx.db, row.workspace_id, row, ending)
    : await transaction(ctx.db, async (trx) => {
        await save(ctx, trx, row, batch)
        return endCommand(trx, row.workspace_id, row, ending)
      })
  if (!ended) throw new LeaseLost()
  return ended
}

/** A connection that went away, or an answer that did not come, leaves open what happened there. */
const mayHaveRun = (error: RemoteError) => error instanceof ConnectionLost || error instanceof RemoteTimeout

async function fail(
  ctx: Context,
  server: ServerRow,
  row: CommandRow,
  error: RemoteError,
): Promise<CommandOutcome> {
  const said = toServerProblem(server, error)
  const problem = said instanceof Problem ? said : serverFailed(server.name, error.message)
  const ended = await endCommand(ctx.db, row.workspace_id, row, failedResult(problem.message))
  if (!ended) throw new LeaseLost()
  return { row: ended, problem }
}

/** How far it was read, whether it was begun, whether it is to be cancelled. */
async function asItIs(ctx: Context, row: CommandRow): Promise<CommandRow> {
  const now = await findFollowedCommand(ctx.db, row.workspace_id, row)
  if (!now) throw new LeaseLost()
  return now
}

/** Its address or its key may have been changed meanwhile. */
async function whereItIs(ctx: Context, row: CommandRow): Promise<ServerRow> {
  const server = await findServer(ctx, row.workspace_id, row.server_id)
  if (!server) throw new LeaseLost()
  return server
}
