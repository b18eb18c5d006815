import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { cancelDetached, removeDetached } from '../../remote/detached.ts'
import { getServerHost } from '../servers/server-host.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import { type FollowedCommand, followCommand, LeaseLost, type CommandOutcome } from './follow-command.ts'
import {
  releaseCommandLeases,
  renewCommandLeases,
  claimLapsedCommands,
  markSpoolsRemoved,
} from './command-leases.ts'
import type { CommandRow } from './store.ts'

const renewEvery = 3_000
const lookEvery = 5_000
const mostTaken = 50
const cancelEvery = 500
const none = Promise.resolve()

interface Run extends FollowedCommand {
  server: ServerRow
  leave: AbortController
  isOver: boolean
  over: Promise<unknown>
  /** The first attempt fails when the server is unreachable; further ones continue until the command has ended. */
  cancelling: { first: Promise<void>; over: Promise<void> } | undefined
}

/** Follows the commands of this process to their end. A lease in each row allows another process to take over. */
export class CommandFollower {
  readonly name = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
  private readonly ctx: Context
  private readonly runs = new Map<Id<'command'>, Run>()
  private removing = Promise.resolve()
  private readonly stopListening: () => void
  private readonly renewing: NodeJS.Timeout
  private looking: NodeJS.Timeout | undefined
  private stopping = false

  constructor(ctx: Context) {
    this.ctx = ctx
    this.stopListening = ctx.bus.on('commands_cancelled', (id) => void this.cancel(id))
    this.renewing = setInterval(() => void this.quietly(() => this.renew()), renewEvery).unref()
  }

  start(): void {
    const takeOver = () => void this.quietly(() => this.takeOver())
    this.looking = setInterval(takeOver, lookEvery).unref()
    takeOver()
  }

  get isStopping(): boolean {
    return this.stopping
  }

  async follow(server: ServerRow, row: CommandRow, fresh: boolean): Promise<CommandOutcome | undefined> {
    const leave = new AbortController()
    if (this.stopping) leave.abort()
    const signal = leave.signal
    const run: Run = { server, row, fresh, leave, signal, isOver: false, over: none, cancelling: undefined }
    this.runs.set(row.id, run)
    const outcome = this.see(run)
    run.over = outcome
    if (row.cancel_requested_at) void this.endOnServer(run)
    return outcome
  }

  private async see(run: Run): Promise<CommandOutcome | undefined> {
    const { server, row, signal } = run
    try {
      const outcome = await followCommand(this.ctx, server, run)
      // Wait for a cancellation in progress, which would leave a marker file.
      if (!outcome.problem) void (run.cancelling?.over ?? none).then(() => this.tidy(server, row.id))
      return outcome
    } catch (error) {
      // After any failure the row remains running: another process takes it over when the lease expires.
      if (!(error instanceof LeaseLost) && !signal.aborted)
        this.ctx.log.warn(
          { command: row.id, reason: String(error) },
          'Stopped following a command; another worker resumes it',
        )
      return undefined
    } finally {
      run.isOver = true
      if (this.runs.get(row.id) === run) this.runs.delete(row.id)
    }
  }

  /** Removes the files of one command at a time, because a connection allows few sessions. */
  private tidy(server: ServerRow, id: Id<'command'>): void {
    this.removing = this.removing.then(() => removeSpools(this.ctx, [{ server, id }]))
  }

  cancel(id: string): Promise<void> | undefined {
    const run = [...this.runs.values()].find(({ row }) => row.id === id)
    return run && this.endOnServer(run)
  }

  private endOnServer(run: Run): Promise<void> {
    if (!run.cancelling) {
      const first = this.endOnce(run)
      run.cancelling = { first, over: first.catch(() => {}).then(() => this.endUntilOver(run)) }
    }
    return run.cancelling.first
  }

  /** Reads the server again, because its address may have changed. */
  private async endOnce({ row, server: { workspace_id: workspace, id } }: Run): Promise<void> {
    const server = await findServer(this.ctx, workspace, id)
    if (server) await cancelDetached(getServerHost(this.ctx, server), row.id)
  }

  /** Retries, because the command may not have started yet or the server may be unreachable. */
  private async endUntilOver(run: Run): Promise<void> {
    while (!run.isOver && !run.signal.aborted) {
      await Promise.race([run.over, sleep(cancelEvery, undefined, { ref: false })])
      if (!run.isOver) await this.endOnce(run).catch(() => {})
    }
  }

  private async renew(): Promise<void> {
    const runs = [...this.runs.values()]
    if (runs.length === 0) return
    const ids = runs.map(({ row }) => row.id)
    const ours = await renewCommandLeases(this.ctx.db, this.name, ids)
    for (const run of runs) {
      const our = ours.get(run.row.id)
      // Unless the command has just ended, another process follows it.
      if (!our) run.leave.abort()
      // The notification of the cancellation can get lost.
      else if (our.cancelled) void this.endOnServer(run)
    }
  }

  private async takeOver(): Promise<void> {
    if (this.stopping) return
    for (const row of await claimLapsedCommands(this.ctx.db, this.name, mostTaken)) {
      const server = await findServer(this.ctx, row.workspace_id, row.server_id)
      this.ctx.log.info({ command: row.id }, 'Resumed an orphaned command')
      // End a run that this process may have kept while its lease expired, then follow the command again.
      this.runs.get(row.id)?.leave.abort()
      if (server) void this.follow(server, row, false)
    }
  }

  private async quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.ctx.log.warn({ reason: String(error) }, 'Failed to update commands; retrying')
    }
  }

  /** Leaves running commands to other processes; they continue on the servers. */
  async stop(): Promise<void> {
    this.stopping = true
    this.stopListening()
    clearInterval(this.renewing)
    clearInterval(this.looking)
    const left = [...this.runs.values()]
    for (const { leave } of left) leave.abort()
    await Promise.all(left.map(({ over }) => over))
    const ids = left.map(({ row }) => row.id)
    await this.quietly(async () => {
      if (ids.length > 0) await releaseCommandLeases(this.ctx.db, this.name, ids)
    })
    await Promise.race([this.removing, sleep(1_000, undefined, { ref: false })])
  }
}

export function startCommandFollower(ctx: Context): () => Promise<void> {
  const follower = ctx.commandFollower()
  follower.start()
  return () => follower.stop()
}

export interface SpoolRef {
  server: ServerRow
  id: Id<'command'>
}

/** Removes the files of commands from servers. If that fails, the row keeps a record, and an hourly job retries. */
export async function removeSpools(ctx: Context, left: SpoolRef[]): Promise<void> {
  const away = new Set<Id<'server'>>()
  const removed: Id<'command'>[] = []
  for (const { server, id } of left) {
    if (away.has(server.id)) continue
    try {
      await removeDetached(getServerHost(ctx, server), id)
      removed.push(id)
    } catch (error) {
      away.add(server.id)
      ctx.log.debug(
        { server: server.id, reason: String(error) },
        'Failed to remove command files from a server; retrying',
      )
    }
  }
  try {
    if (removed.length > 0) await markSpoolsRemoved(ctx.db, removed)
  } catch (error) {
    ctx.log.debug({ reason: String(error) }, 'Failed to save that command files were removed')
  }
}
