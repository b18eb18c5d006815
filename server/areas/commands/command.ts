import type { z } from 'zod'
import { type command, stderrSeparator } from '../../../contract/commands.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { stillMay } from '../auth/still-may.ts'
import { followOutput, readOutput } from '../outputs/output.ts'
import { getServerRow } from '../servers/server.ts'
import { type CommandQuery, type CommandRow, findCommandRow, listCommandRows } from './store.ts'

/** Which command of which server. */
export interface Named {
  id: Id<'server'>
  command_id: Id<'command'>
}

/** Milliseconds in which a server that can be reached usually has ended a command that somebody cancelled. */
const cancelTakes = 1_000

const isWaiting = ({ status, cancel_requested_at: at }: CommandRow) =>
  status === 'running' && at !== null && Date.now() - at.getTime() > cancelTakes

export const present = (row: CommandRow) => ({
  id: row.id,
  command: row.command,
  status: row.status,
  exit_code: row.exit_code,
  error: isWaiting(row) ? 'It will be cancelled as soon as the server can be reached.' : row.error,
  truncated: row.truncated,
  container_id: row.container_id,
  actor: { name: row.actor_name },
  timeout_seconds: row.timeout_seconds,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

export async function presentWhole(ctx: Context, row: CommandRow): Promise<z.input<typeof command>> {
  const silent = row.stdout_offset === 0 && row.stderr_offset === 0
  return { ...present(row), output: silent ? '' : await outputOf(ctx, row) }
}

async function outputOf(ctx: Context, row: CommandRow): Promise<string> {
  const { stdout, stderr } = await readOutput(ctx.db, row.workspace_id, row.id)
  if (stderr === '') return stdout
  return `${stdout}${stdout === '' || stdout.endsWith('\n') ? '' : '\n'}${stderrSeparator}\n${stderr}`
}

export async function listCommands(ctx: Context, actor: Actor, id: Id<'server'>, query: CommandQuery) {
  if (query.cursor !== undefined && query.page !== undefined)
    throw new Invalid({ page: ['Must not be given together with a cursor.'] })
  await getServerRow(ctx, actor, id)
  const { rows, page } = await listCommandRows(ctx.db, actor.workspace.id, id, query)
  return { commands: rows.map(present), page }
}

export async function getCommandRow(ctx: Context, actor: Actor, named: Named): Promise<CommandRow> {
  const row = await findCommandRow(ctx.db, actor.workspace.id, named.id, named.command_id)
  if (!row) throw notFound('This command')
  return row
}

export async function getCommand(ctx: Context, actor: Actor, named: Named) {
  return presentWhole(ctx, await getCommandRow(ctx, actor, named))
}

/** Its output as it comes, for as long as whoever reads may. */
export async function* streamCommand(
  ctx: Context,
  actor: Actor,
  named: Named,
  { signal, lastEventId }: { signal: AbortSignal; lastEventId: string | undefined },
) {
  await getCommandRow(ctx, actor, named)
  const { id: workspace } = actor.workspace
  yield* followOutput(ctx, workspace, {
    source: named.command_id,
    after: lastEventId,
    signal,
    isOver: async () =>
      (await findCommandRow(ctx.db, workspace, named.id, named.command_id))?.status !== 'running',
    mayRead: () => stillMay(ctx, actor, 'commands.run'),
  })
}
