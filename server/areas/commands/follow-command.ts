import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { Problem, serverFailed } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import { transaction } from '../../platform/transaction.ts'
import { type DetachedResult, StartFailed, type OutputChunk, runDetached } from '../../remote/detached.ts'
import { ConnectionLost, RemoteError, RemoteTimeout } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { commandInContainer } from '../../remote/container/container-command.ts'
import { shellCommand } from '../../remote/command.ts'
import { appendOutput } from '../outputs/output.ts'
import { getServerHost, toServerProblem } from '../servers/server-host.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import { OutputBatch } from './output-batch.ts'
import { failedResult, toCommandResult, unreachableResult } from './command-result.ts'
import { ContainerOutput } from './container-output.ts'
import {
  saveOffsets,
  type CommandRow,
  endCommand,
  type CommandResult,
  findFollowedCommand,
  markStarted,
} from './store.ts'
import { openCommandText } from './command.ts'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

const maxOutput = 1_048_576
const unreachableLimitMs = 600_000
const longestPause = 2_000

export interface FollowedCommand {
  row: CommandRow
  /** True if this process has just inserted the command, which therefore never ran before. */
  fresh: boolean
  signal: AbortSignal
}

export interface CommandOutcome {
  row: CommandRow
  problem?: Problem
}

/** Thrown if another process follows the command, or if the command was deleted with its server. */
export class LeaseLost extends Error {}

export async function followCommand(
  ctx: Context,
  server: ServerRow,
  followed: FollowedCommand,
): Promise<CommandOutcome> {
  const { fresh, signal } = followed
  let [row, lastOutputAt, currentServer] = [followed.row, Date.now(), server]
  for (let failures = 0; ; failures++) {
    const from = { stdout: row.stdout_offset, stderr: row.stderr_offset }
    const batch = new OutputBatch(from)
    const inside = row.container_id === null ? undefined : new ContainerOutput(row, from)
    try {
      const host = getServerHost(ctx, currentServer)
      const add = (piece: OutputChunk) => batch.add(inside ? inside.take(piece) : piece)
      const finish = await readAll(ctx, host, row, { batch, add }, signal)
      batch.end(finish.truncated, maxOutput)
      const ending = inside
        ? await inside.ending(ctx, currentServer, row, finish)
        : toCommandResult(row, finish)
      return { row: await end(ctx, row, batch, ending) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof RemoteError)) throw error
      await write(ctx, row, batch)
      const hasNewOutput = batch.written.stdout + batch.written.stderr > from.stdout + from.stderr
      if (hasNewOutput) [lastOutputAt, failures] = [Date.now(), 0]
      else if (error instanceof StartFailed || (fresh && failures === 0 && !mayHaveRun(error)))
        return await fail(ctx, currentServer, row, error)
      if (Date.now() - lastOutputAt > row.timeout_seconds * 1_000 + unreachableLimitMs)
        return { row: await end(ctx, row, batch, unreachableResult) }
    }
    await sleep(exponentialBackoff(failures, 100, longestPause), undefined, { signal })
    row = await reloadCommand(ctx, row)
    currentServer = await reloadServer(ctx, row)
  }
}

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
      command: toRemoteCommand(ctx, host, row),
      limitSeconds: row.timeout_seconds,
      maxBytes: maxOutput,
    },
    // A canceled command may have been started, but must not be started again.
    { ...batch.written, isStarted: row.begun_at !== null || row.cancel_requested_at !== null },
    AbortSignal.any([signal, leave.signal]),
    () => {
      noting = markBegun(ctx, row)
      noting.catch((error: unknown) => leave.abort(error))
    },
  )
  const next = () => {
    const coming = pieces.next()
    // If saving fails, nothing awaits this promise, and its rejection must not end the process.
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

/** The only place where user input is code: the user asked a shell of the server or container to run it. */
const toRemoteCommand = (ctx: Context, { target }: Host, row: CommandRow) =>
  row.container_id === null
    ? shellCommand(openCommandText(ctx, row))
    : commandInContainer(target, row.container_id, row.id, openCommandText(ctx, row))

/** Records the start, after which the command is never started again, even if the server loses it. */
async function markBegun(ctx: Context, row: CommandRow): Promise<void> {
  if (!(await markStarted(ctx.db, row.workspace_id, row))) throw new LeaseLost()
}

/** Saves output and position atomically, so that no line is lost or repeated. */
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

/** After a lost connection or timeout it is unknown whether the command ran. */
const mayHaveRun = (error: RemoteError) => error instanceof ConnectionLost || error instanceof RemoteTimeout

async function fail(
  ctx: Context,
  server: ServerRow,
  row: CommandRow,
  error: RemoteError,
): Promise<CommandOutcome> {
  const serverProblem = toServerProblem(server, error)
  const problem = serverProblem instanceof Problem ? serverProblem : serverFailed(server.name, error.message)
  const ended = await endCommand(ctx.db, row.workspace_id, row, failedResult(problem.message))
  if (!ended) throw new LeaseLost()
  return { row: ended, problem }
}

async function reloadCommand(ctx: Context, row: CommandRow): Promise<CommandRow> {
  const now = await findFollowedCommand(ctx.db, row.workspace_id, row)
  if (!now) throw new LeaseLost()
  return now
}

async function reloadServer(ctx: Context, row: CommandRow): Promise<ServerRow> {
  const server = await findServer(ctx, row.workspace_id, row.server_id)
  if (!server) throw new LeaseLost()
  return server
}
