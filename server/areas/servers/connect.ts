import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound, Problem, serverChanged } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { HostKeyChanged } from '../../remote/errors.ts'
import { scanHostKey } from '../../remote/ssh/host-key.ts'
import type { Actor } from '../../route.ts'
import { assertCanOperate } from './act-as-root.ts'
import { canConnectTo } from './allowed-address.ts'
import { finishCreation } from './creation.ts'
import { getServerHost, toServerProblem } from './server-host.ts'
import { toProvenAddress } from './proven-address.ts'
import { hostKeyNotConfirmed } from './reasons.ts'
import { getServerRow, presentServer, type ServerRow } from './server.ts'
import { requestSetup } from './setup.ts'
import { lockServerRow, wakeWatcher, updateServerRow, updateIfSameVersion } from './store.ts'
import { assertServerUsable } from './assert-server-usable.ts'

/** Returns the host key if none is confirmed; otherwise logs in and starts setup. */
export async function connectServer(ctx: Context, actor: Actor, id: Id<'server'>) {
  const server = await getServerRow(ctx, actor, id)
  assertCanOperate(actor, server, 'run the setup')
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

/** Logs in. Then starts setup if it never completed, or marks an unreachable server ready. */
export async function logInToServer(ctx: Context, actor: Actor, server: ServerRow): Promise<ServerRow> {
  const host = getServerHost(ctx, server)
  try {
    await host.connect()
  } catch (error) {
    throw await noteFailure(ctx, server, error)
  }
  return transaction(ctx.db, async (trx) => {
    const { workspace_id, id } = server
    const now = requireServerRow(await lockServerRow(trx, workspace_id, id))
    assertServerUsable(now)
    const { status, name, version } = now
    // The address changed while we logged in.
    if (version !== server.version) throw serverChanged(name)
    await wakeWatcher(trx, workspace_id, id)
    if (status === 'unreachable')
      await emit(trx, actor, workspace_id, 'server.ready', { kind: 'server', id, name })
    const reached = await updateServerRow(trx, workspace_id, id, {
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
    return requireServerRow(await lockServerRow(trx, workspace_id, id))
  })
}

/** Saves the failure as the reason of the server and returns the error for the caller. */
async function noteFailure(ctx: Context, server: ServerRow, error: unknown): Promise<unknown> {
  const said = toServerProblem(server, error)
  if (!(said instanceof Problem)) return said
  const { workspace_id, status } = server
  if (error instanceof HostKeyChanged)
    await updateIfSameVersion(ctx.db, workspace_id, server, { offered_host_key: error.offered })
  // For ready servers and servers in setup, the watcher and the setup know more than one attempt.
  if (status !== 'ready' && status !== 'setting_up')
    await updateIfSameVersion(ctx.db, workspace_id, server, { reason: said.message })
  return said
}

export function requireServerRow(row: ServerRow | undefined): ServerRow {
  if (!row) throw notFound('This server')
  return row
}
