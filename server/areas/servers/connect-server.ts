import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, hostKeyDiffers, notFound, Problem, serverChanged } from '../../errors.ts'
import { emit, type Initiator } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { HostKeyChanged } from '../../remote/errors.ts'
import { scanHostKey, hostKeyType } from '../../remote/ssh/host-key.ts'
import type { Actor } from '../../route.ts'
import {
  changeServer,
  getServerRow,
  lockServer,
  type ServerRow,
  serverTarget,
  updateIfSameVersion,
  wakeWatcher,
} from './server.ts'
import { presentServer } from './present-server.ts'
import { assertCanOperate } from './root-access.ts'
import { canConnectTo } from './allowed-address.ts'
import { finishCreation } from './cloud-creation.ts'
import { getServerHost, toProvenAddress, toServerProblem } from './server-host.ts'
import { hostKeyNotConfirmed, setupNotStarted } from './status-reasons.ts'
import { requestSetup } from './request-setup.ts'
import { assertServerUsable } from './assert-server-usable.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'
import type { Trx } from '../../tables.ts'

export async function connectServer(ctx: Context, actor: Actor, id: Id<'server'>) {
  const server = await getServerRow(ctx, actor, id)
  assertCanOperate(actor, server, 'run setup')
  assertServerUsable(server)
  const isKnown = server.kind === 'local' || server.host_keys.length > 0
  return presentServer(
    ctx,
    isKnown ? await logInToServer(ctx, actor, server) : await showHostKey(ctx, server),
  )
}

async function showHostKey(ctx: Context, server: ServerRow): Promise<ServerRow> {
  const offered = await readHostKey(ctx, server)
  const row = await updateIfSameVersion(ctx.db, server.workspace_id, server, {
    offered_host_key: offered ?? null,
    reason: hostKeyNotConfirmed,
  })
  if (!row) throw serverChanged(server.name)
  return row
}

export async function readHostKey(
  ctx: Context,
  server: ServerRow,
  types?: string[],
): Promise<string | undefined> {
  if (server.address === null) throw conflict('no_address', `The server ${server.name} has no address yet.`)
  try {
    return await scanHostKey(server.address, server.port, { types, mayConnect: canConnectTo(ctx) })
  } catch (error) {
    throw await noteFailure(ctx, server, error)
  }
}

export async function logInToServer(ctx: Context, actor: Actor, server: ServerRow): Promise<ServerRow> {
  const host = getServerHost(ctx, server)
  try {
    await host.connect()
  } catch (error) {
    throw await noteFailure(ctx, server, error)
  }
  return transaction(ctx.db, async (trx) => {
    const { workspace_id, id } = server
    const now = requireServerRow(await lockServer(trx, workspace_id, id))
    assertServerUsable(now)
    const { status, version } = now
    if (version !== server.version) throw serverChanged(now.name)
    await wakeWatcher(trx, workspace_id, id)
    if (status === 'unreachable') await emit(trx, actor, workspace_id, 'server.ready', serverTarget(now))
    const reached = await changeServer(trx, workspace_id, id, {
      ...(status === 'ready' || status === 'setting_up' ? {} : { reason: null }),
      ...(status === 'unreachable' ? { status: 'ready' } : {}),
      offered_host_key: null,
      last_seen_at: ctx.now(),
      ...toProvenAddress(now, host),
    })
    if (status === 'pending' || status === 'failed') {
      await finishCreation(ctx, trx, server)
      await requestSetup(ctx, trx, actor, requireServerRow(reached))
    }
    return requireServerRow(await lockServer(trx, workspace_id, id))
  })
}

async function noteFailure(ctx: Context, server: ServerRow, error: unknown): Promise<unknown> {
  const problem = toServerProblem(server, error)
  if (!(problem instanceof Problem)) return problem
  const { workspace_id, status } = server
  if (error instanceof HostKeyChanged)
    await updateIfSameVersion(ctx.db, workspace_id, server, { offered_host_key: error.offered })
  // The reason of a ready server or one in setup stays: the watcher or the setup knows more than a single attempt.
  if (status !== 'ready' && status !== 'setting_up')
    await updateIfSameVersion(ctx.db, workspace_id, server, { reason: problem.message })
  return problem
}

export function requireServerRow(row: ServerRow | undefined): ServerRow {
  if (!row) throw notFound('This server')
  return row
}

export async function trustHostKey(ctx: Context, actor: Actor, id: Id<'server'>, fingerprint: string) {
  const server = await getServerRow(ctx, actor, id)
  assertServerUsable(server)
  if (server.kind === 'local')
    throw conflict(
      'no_host_key',
      `The server ${server.name} is the machine that Slipway runs on, so it has no host key.`,
    )
  const key = await readOfferedKey(ctx, server)
  if (key === undefined || keyFingerprint(key) !== fingerprint.trim())
    throw await offerInstead(ctx, server, key ?? null)
  return presentServer(ctx, await logInToServer(ctx, actor, await pin(ctx, actor, server, key)))
}

async function readOfferedKey(ctx: Context, server: ServerRow): Promise<string | undefined> {
  const { offered_host_key: offered } = server
  const same = offered === null ? undefined : await readHostKey(ctx, server, [hostKeyType(offered)])
  return same ?? readHostKey(ctx, server)
}

async function offerInstead(ctx: Context, server: ServerRow, offered: string | null) {
  await updateIfSameVersion(ctx.db, server.workspace_id, server, { offered_host_key: offered })
  return hostKeyDiffers(server.name, offered === null ? 'none' : keyFingerprint(offered))
}

const pin = (ctx: Context, actor: Actor, server: ServerRow, key: string): Promise<ServerRow> =>
  transaction(ctx.db, async (trx) => {
    const { workspace_id, id, name } = server
    const now = requireServerRow(await lockServer(trx, workspace_id, id))
    // If the address changed meanwhile, the key belongs to the old one.
    if (now.version !== server.version) throw serverChanged(name)
    const fingerprint = keyFingerprint(key)
    await emit(trx, actor, workspace_id, 'server.host_key_trusted', serverTarget(server), fingerprint)
    return requireServerRow(
      await changeServer(trx, workspace_id, id, {
        host_keys: [key],
        offered_host_key: null,
        version: now.version + 1,
        ...(now.host_keys.includes(key) ? {} : { machine: null }),
      }),
    )
  })

interface Learned extends Pick<
  ServerRow,
  'address' | 'port' | 'username' | 'host_keys' | 'os' | 'architecture'
> {
  set_up: boolean
}

export async function admitServer(
  ctx: Context,
  trx: Trx,
  initiator: Initiator,
  server: ServerRow,
  { set_up: setsUp, ...learned }: Learned,
): Promise<ServerRow> {
  const { workspace_id: workspaceId, id } = server
  const now = requireServerRow(await lockServer(trx, workspaceId, id))
  if (now.version !== server.version) throw serverChanged(now.name)
  const row = requireServerRow(
    await changeServer(trx, workspaceId, id, {
      ...learned,
      ...(setsUp ? {} : { status: 'pending', reason: setupNotStarted, last_seen_at: ctx.now() }),
      version: now.version + 1,
      offered_host_key: null,
      machine: null,
    }),
  )
  await emit(trx, initiator, workspaceId, 'server.imported', serverTarget(row))
  await finishCreation(ctx, trx, row)
  if (setsUp) await requestSetup(ctx, trx, initiator, row)
  return row
}
