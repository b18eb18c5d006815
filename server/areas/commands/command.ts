import type { z } from 'zod'
import type { command } from '../../../contract/commands.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { stderrSeparator } from '../../../contract/shared/command-line.ts'
import type { Context } from '../../context.ts'
import { Invalid, notFound, Problem } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { stillHasPermission } from '../auth/authenticate.ts'
import { followOutput } from '../outputs/follow-output.ts'
import { readOutput } from '../outputs/output.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { assertCanActAsRoot, canActAsRoot } from '../servers/root-access.ts'
import { type CommandQuery, type CommandRow, findCommandRow, listCommandRows } from './store.ts'
import { emit } from '../../events.ts'
import type { Trx } from '../../tables.ts'
import { inspectContainer } from '../containers/docker-container.ts'

export interface CommandRef {
  id: Id<'server'>
  command_id: Id<'command'>
}

const cancelTakes = 1_000

const isWaiting = ({ status, cancel_requested_at: canceledAt }: CommandRow) =>
  status === 'running' && canceledAt !== null && Date.now() - canceledAt.getTime() > cancelTakes

export const presentCommand = (ctx: Pick<Context, 'secrets'>, row: CommandRow) => ({
  id: row.id,
  command: openCommandText(ctx, row),
  status: row.status,
  exit_code: row.exit_code,
  error: isWaiting(row) ? 'The command will be canceled when the server is reachable.' : row.error,
  truncated: row.truncated,
  container_id: row.container_id,
  container_name: row.container_name,
  actor: { name: row.actor_name },
  timeout_seconds: row.timeout_seconds,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

export const presentWithOutput = async (ctx: Context, row: CommandRow) =>
  (await presentWithStreams(ctx, row)).command

export async function presentWithStreams(ctx: Context, row: CommandRow) {
  const silent = row.stdout_offset === 0 && row.stderr_offset === 0
  const streams = silent ? nothing : await readOutput(ctx, ctx.db, row.workspace_id, row.id)
  const whole: z.input<typeof command> = { ...presentCommand(ctx, row), output: asOne(streams) }
  return { streams, command: whole }
}

const nothing = { stdout: '', stderr: '' }

function asOne({ stdout, stderr }: typeof nothing): string {
  if (stderr === '') return stdout
  return `${stdout}${stdout === '' || stdout.endsWith('\n') ? '' : '\n'}${stderrSeparator}\n${stderr}`
}

export async function listCommands(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  query: Omit<CommandQuery, 'withRoot'>,
) {
  if (query.cursor !== undefined && query.page !== undefined)
    throw new Invalid({ page: ['Must not be combined with a cursor.'] })
  const server = await getServerRow(ctx, actor, id)
  const container_id = query.container_id && (await resolveContainerId(ctx, server, query.container_id))
  const { rows, page } = await listCommandRows(ctx.db, actor.workspace.id, id, {
    ...query,
    container_id,
    withRoot: canActAsRoot(actor, server),
  })
  return { commands: rows.map((row) => presentCommand(ctx, row)), page }
}

/** Resolves a name or ID prefix; returns the input for a container that no longer exists. */
async function resolveContainerId(ctx: Context, server: ServerRow, reference: string): Promise<string> {
  if (wholeId.test(reference) || server.status !== 'ready') return reference
  try {
    return (await inspectContainer(ctx, server, reference)).Id
  } catch (error) {
    if (error instanceof Problem) return reference
    throw error
  }
}

const wholeId = /^[0-9a-f]{64}$/

export async function getCommandRow(ctx: Context, actor: Actor, named: CommandRef): Promise<CommandRow> {
  const row = await findCommandRow(ctx.db, actor.workspace.id, named.id, named.command_id)
  if (!row) throw notFound('This command')
  if (row.as_root)
    assertCanActAsRoot(actor, await getServerRow(ctx, actor, named.id), 'read or cancel this command')
  return row
}

export async function getCommand(ctx: Context, actor: Actor, named: CommandRef) {
  return presentWithOutput(ctx, await getCommandRow(ctx, actor, named))
}

export async function* streamCommand(
  ctx: Context,
  actor: Actor,
  named: CommandRef,
  { signal, lastEventId }: { signal: AbortSignal; lastEventId: string | undefined },
) {
  const { as_root } = await getCommandRow(ctx, actor, named)
  const server = await getServerRow(ctx, actor, named.id)
  const { id: workspace } = actor.workspace
  yield* followOutput(ctx, workspace, {
    source: named.command_id,
    after: lastEventId,
    signal,
    isOver: async () =>
      (await findCommandRow(ctx.db, workspace, named.id, named.command_id))?.status !== 'running',
    mayRead: () =>
      stillHasPermission(ctx, actor, 'containers.shell', (now) => !as_root || canActAsRoot(now, server)),
  })
}

type WithSecrets = Pick<Context, 'secrets'>

/** A command may contain secrets, so it is sealed for its row. */
const place = (id: Id<'command'>) => `commands.command_sealed:${id}`

export const sealCommandText = ({ secrets }: WithSecrets, id: Id<'command'>, text: string) =>
  secrets.seal(place(id), text)

export const openCommandText = ({ secrets }: WithSecrets, { id, command_sealed }: CommandRow) =>
  secrets.open(place(id), command_sealed)

export function emitCommandEvent(
  trx: Trx,
  actor: Actor,
  type: 'command.started' | 'command.cancelled',
  row: CommandRow,
  serverName: string,
): Promise<void> {
  const { container_id: container } = row
  const target =
    container === null
      ? { kind: 'server', id: row.server_id, name: serverName }
      : { kind: 'container', id: container, name: row.container_name ?? container.slice(0, 12) }
  const detail = container === null ? row.id : `on ${serverName}, ${row.id}`
  return emit(trx, actor, row.workspace_id, type, target, detail)
}
