import type { z } from 'zod'
import type { Id } from '../../../contract/ids.ts'
import { type setup, setupSteps } from '../../../contract/setups.ts'
import type { Context } from '../../context.ts'
import { hostKeyUnknown, notFound } from '../../errors.ts'
import { actorOf, type Doer, emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { stillMay } from '../auth/still-may.ts'
import { followOutput, forgetOutput } from '../outputs/output.ts'
import { getServerRow, type ServerRow } from './server.ts'
import { deleteOver, findLatest, findSetup, insertSetup, type SetupRow } from './set-up/store.ts'
import { lockServerRow, updateServerRow } from './store.ts'

/** How often it is tried again when the fault is ours, such as a database that does not answer. */
export const setupAttempts = 3

const present = (row: SetupRow): z.input<typeof setup> => ({
  id: row.id,
  status: row.status,
  step: setupSteps.find((step) => step === row.step) ?? null,
  error: row.status === 'failed' ? row.error : null,
  warnings: row.warnings,
  actor: { name: row.actor_name },
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

/** A set-up row, its job and its event, in the caller's transaction. One that is under way already is that one. */
export async function requestSetup(ctx: Context, trx: Trx, doer: Doer, server: ServerRow): Promise<SetupRow> {
  const { id: serverId, workspace_id: workspaceId, name } = server
  await lockServerRow(trx, workspaceId, serverId)
  const latest = await findLatest(trx, workspaceId, serverId)
  if (latest && !isOver(latest)) return latest
  await forgetEarlier(trx, server)
  const row = await insertSetup(trx, {
    id: newId('setup'),
    workspace_id: workspaceId,
    server_id: serverId,
    status: 'queued',
    ...actorOf(doer),
  })
  await updateServerRow(trx, workspaceId, serverId, { status: 'setting_up', reason: null })
  await enqueue(ctx.secrets, trx, {
    kind: 'set-up-server',
    payload: { workspace_id: workspaceId, setup_id: row.id },
    key: `set-up:${serverId}`,
    // They take minutes: mails must not wait for them.
    group: { name: 'set-up', limit: 6 },
    attempts: setupAttempts,
  })
  await emit(trx, doer, workspaceId, 'server.setup_started', { kind: 'server', id: serverId, name })
  return row
}

export const isOver = ({ status }: SetupRow) => status === 'completed' || status === 'failed'

/** Only the latest is ever shown. */
async function forgetEarlier(trx: Trx, { workspace_id: workspaceId, id }: ServerRow) {
  const gone = await deleteOver(trx, workspaceId, id)
  if (gone.length > 0)
    await forgetOutput(
      trx,
      workspaceId,
      gone.map((row) => row.id),
    )
}

export async function startSetup(ctx: Context, actor: Actor, id: Id<'server'>) {
  const server = await getServerRow(ctx, actor, id)
  if (server.kind === 'ssh' && server.host_keys.length === 0) throw hostKeyUnknown(server.name)
  return present(await transaction(ctx.db, (trx) => requestSetup(ctx, trx, actor, server)))
}

export async function getSetup(ctx: Context, actor: Actor, id: Id<'server'>) {
  await getServerRow(ctx, actor, id)
  const row = await findLatest(ctx.db, actor.workspace.id, id)
  return row ? present(row) : null
}

export async function* streamSetup(
  ctx: Context,
  actor: Actor,
  id: Id<'server'>,
  { after, signal }: { after: string | undefined; signal: AbortSignal },
) {
  const { id: workspaceId } = actor.workspace
  await getServerRow(ctx, actor, id)
  const row = await findLatest(ctx.db, workspaceId, id)
  if (!row) throw notFound('A set-up of this server')
  const told = followOutput(ctx, workspaceId, {
    source: row.id,
    after: placeIn(row.id, after),
    signal,
    isOver: async () => {
      const now = await findSetup(ctx.db, workspaceId, row.id)
      return !now || isOver(now)
    },
    mayRead: () => stillMay(ctx, actor, 'servers.read'),
  })
  for await (const event of told) yield event.id ? { ...event, id: `${row.id}:${event.id}` } : event
}

/** How far this very set-up was heard: its latest may be another one than whoever comes back listened to. */
function placeIn(id: Id<'setup'>, after: string | undefined): string | undefined {
  const [heard, seq] = after?.split(':') ?? []
  return heard === id ? seq : undefined
}
