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
import { changeServer, getServerRow, lockServer, type ServerRow } from './server.ts'
import { assertCanOperate } from './root-access.ts'
import { deleteSetups, findLatest, findSetup, insertSetup, type SetupRow } from './set-up/store.ts'
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
  const now = await lockServer(trx, workspaceId, serverId)
  if (now) assertNotDeleting(now)
  const latest = await findLatest(trx, workspaceId, serverId)
  if (latest && !isSetupFinished(latest)) return latest
  // Delete earlier setups, because only the latest one is shown.
  await forgetSetups(trx, server, 'over')
  const row = await insertSetup(trx, {
    id: newId('setup'),
    workspace_id: workspaceId,
    server_id: serverId,
    status: 'queued',
    ...toActorColumns(initiator),
  })
  await changeServer(trx, workspaceId, serverId, {
    status: 'setting_up',
    reason: null,
    ...(initiator !== 'slipway' && { setup_consented_at: ctx.now() }),
  })
  await enqueue(ctx.secrets, trx, {
    kind: 'set-up-server',
    payload: { workspace_id: workspaceId, setup_id: row.id },
    key: setupKey(serverId),
    // Limit concurrent setups, because they take minutes and must not delay emails.
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
  const deleted = await deleteSetups(trx, workspaceId, id, which)
  if (deleted.length > 0)
    await deleteOutput(
      trx,
      workspaceId,
      deleted.map((row) => row.id),
    )
}

export async function startSetup(ctx: Context, actor: Actor, id: Id<'server'>) {
  const server = await getServerRow(ctx, actor, id)
  assertCanOperate(actor, server, 'run setup')
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
    isOver: () => isOver(ctx, row),
    mayRead: () => stillHasPermission(ctx, actor, 'servers.read'),
  })
  for await (const event of output) yield event.id ? { ...event, id: `${row.id}:${event.id}` } : event
}

const retryPauseMinutes = 10

/**
 * Starts or joins a setup for a deployment. Returns why it may not start one: setup is root access, so a person must have
 * started it before, and members, tokens and hooks cannot repeat a failed one at will.
 */
export const startMissingSetup = (
  ctx: Context,
  server: ServerRow,
  { canActAsRoot }: { canActAsRoot: boolean },
): Promise<string | undefined> =>
  transaction(ctx.db, async (trx) => {
    const { workspace_id: workspaceId, id } = server
    const now = await lockServer(trx, workspaceId, id)
    if (!now) throw notFound('This server')
    const latest = await findLatest(trx, workspaceId, id)
    if (latest && !isSetupFinished(latest)) return undefined
    if (now.setup_consented_at === null) return noConsentMessage(now)
    if (!canActAsRoot && latest && failedRecently(latest, ctx.now())) return pausedMessage(now)
    await requestSetup(ctx, trx, 'slipway', now)
    return undefined
  })

const failedRecently = ({ status, finished_at: finishedAt }: SetupRow, now: Date) =>
  status === 'failed' &&
  finishedAt !== null &&
  now.getTime() - finishedAt.getTime() < retryPauseMinutes * 60_000

const whoSetsUp = ({ kind }: ServerRow) => (kind === 'local' ? 'An instance owner' : 'A workspace admin')

const noConsentMessage = (server: ServerRow) =>
  `${server.name} is not fully set up, and a deployment cannot run its first setup. ${whoSetsUp(server)} must run setup on the server page. Then deploy again.`

const pausedMessage = (server: ServerRow) =>
  [
    `${server.name} could not be set up.`,
    server.reason,
    `Deployments retry a failed setup after ${retryPauseMinutes} minutes. ${whoSetsUp(server)} can run setup earlier on the server page.`,
  ]
    .filter((part) => part !== null)
    .join(' ')

/** Reads step titles and errors of the latest setup until it is finished. */
export async function followSetup(
  ctx: Context,
  { workspace_id: workspaceId, id }: ServerRow,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<void> {
  const row = await findLatest(ctx.db, workspaceId, id)
  if (!row) return
  const output = followOutput(ctx, workspaceId, {
    source: row.id,
    after: undefined,
    signal,
    isOver: () => isOver(ctx, row),
    mayRead: async () => true,
  })
  for await (const { data } of output)
    if (data.type === 'output') for (const line of listTitlesAndErrors(data.text)) onLine(line)
}

/** The rest of the output describes the server, which readers of a single application must not see. */
export const listTitlesAndErrors = (output: string): string[] =>
  output.split('\n').flatMap((line) => /^(?:==> \w+: |!! )(.+)$/.exec(line)?.[1] ?? [])

async function isOver(ctx: Context, { workspace_id: workspaceId, id }: SetupRow): Promise<boolean> {
  const now = await findSetup(ctx.db, workspaceId, id)
  return !now || isSetupFinished(now)
}

/** A reconnecting client may have followed an earlier setup, whose position does not apply. */
function resumeAfter(id: Id<'setup'>, after: string | undefined): string | undefined {
  const [setup, seq] = after?.split(':') ?? []
  return setup === id ? seq : undefined
}
