import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import { type setup, setupSteps } from '../../../contract/setups.ts'
import type { Context } from '../../context.ts'
import { hostKeyUnknown, notFound } from '../../errors.ts'
import { toActorColumns, type Initiator, emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { cancelJobsByKey, enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { stillHasPermission } from '../auth/authenticate.ts'
import { followOutput } from '../outputs/follow-output.ts'
import { deleteOutput } from '../outputs/output.ts'
import { assertCanOperate } from './act-as-root.ts'
import { getServerRow, type ServerRow } from './server.ts'
import { deleteSetups, findLatest, findSetup, insertSetup, type SetupRow } from './set-up/store.ts'
import { lockServerRow, updateServerRow } from './store.ts'
import { assertServerUsable, assertNotDeleting } from './assert-server-usable.ts'

/** Retries after internal errors, such as an unavailable database. */
export const setupAttempts = 3

const presentSetup = (row: SetupRow): z.input<typeof setup> => ({
  id: row.id,
  status: row.status,
  step: setupSteps.find((step) => step === row.step) ?? null,
  error: row.status === 'failed' ? row.error : null,
  warnings: row.warnings,
  actor: { name: row.actor_name },
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})

export async function requestSetup(
  ctx: Context,
  trx: Trx,
  initiator: Initiator,
  server: ServerRow,
): Promise<SetupRow> {
  const { id: serverId, workspace_id: workspaceId, name } = server
  const now = await lockServerRow(trx, workspaceId, serverId)
  if (now) assertNotDeleting(now)
  const latest = await findLatest(trx, workspaceId, serverId)
  if (latest && !isSetupFinished(latest)) return latest
  // Only the latest setup is shown.
  await forgetSetups(trx, server, 'over')
  const row = await insertSetup(trx, {
    id: newId('setup'),
    workspace_id: workspaceId,
    server_id: serverId,
    status: 'queued',
    ...toActorColumns(initiator),
  })
  await updateServerRow(trx, workspaceId, serverId, { status: 'setting_up', reason: null })
  await enqueue(ctx.secrets, trx, {
    kind: 'set-up-server',
    payload: { workspace_id: workspaceId, setup_id: row.id },
    key: setupKey(serverId),
    // Setups take minutes and must not delay mails.
    group: { name: 'set-up', limit: 6 },
    attempts: setupAttempts,
  })
  await emit(trx, initiator, workspaceId, 'server.setup_started', { kind: 'server', id: serverId, name })
  return row
}

export const isSetupFinished = ({ status }: SetupRow) => status === 'completed' || status === 'failed'

const setupKey = (id: Id<'server'>) => `set-up:${id}`

/** Call before locking the server row: workers lock in this order. */
export const cancelSetups = (trx: Trx, id: Id<'server'>) => cancelJobsByKey(trx, setupKey(id))

export const dropSetups = (trx: Trx, server: ServerRow) => forgetSetups(trx, server, 'all')

async function forgetSetups(trx: Trx, { workspace_id: workspaceId, id }: ServerRow, which: 'over' | 'all') {
  const gone = await deleteSetups(trx, workspaceId, id, which)
  if (gone.length > 0)
    await deleteOutput(
      trx,
      workspaceId,
      gone.map((row) => row.id),
    )
}

export async function startSetup(ctx: Context, actor: Actor, id: Id<'server'>) {
  const server = await getServerRow(ctx, actor, id)
  assertCanOperate(actor, server, 'run the setup')
  assertServerUsable(server)
  if (server.kind === 'ssh' && server.host_keys.length === 0) throw hostKeyUnknown(server.name)
  return presentSetup(await transaction(ctx.db, (trx) => requestSetup(ctx, trx, actor, server)))
}

export async function getSetup(ctx: Context, actor: Actor, id: Id<'server'>) {
  await getServerRow(ctx, actor, id)
  const row = await findLatest(ctx.db, actor.workspace.id, id)
  return row ? presentSetup(row) : null
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
  if (!row) throw notFound('A setup of this server')
  const output = followOutput(ctx, workspaceId, {
    source: row.id,
    after: resumeAfter(row.id, after),
    signal,
    isOver: async () => {
      const now = await findSetup(ctx.db, workspaceId, row.id)
      return !now || isSetupFinished(now)
    },
    mayRead: () => stillHasPermission(ctx, actor, 'servers.read'),
  })
  for await (const event of output) yield event.id ? { ...event, id: `${row.id}:${event.id}` } : event
}

/** A reconnecting client may have followed an earlier setup, whose position does not apply. */
function resumeAfter(id: Id<'setup'>, after: string | undefined): string | undefined {
  const [setup, seq] = after?.split(':') ?? []
  return setup === id ? seq : undefined
}
