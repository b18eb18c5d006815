import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound, Problem } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { HostKeyChanged, Lost } from '../../remote/errors.ts'
import { scanHostKeys } from '../../remote/ssh/scan.ts'
import type { Actor } from '../../route.ts'
import { hostOf, sayWhy } from './reach.ts'
import { confirmFirst } from './reasons.ts'
import { getServerRow, present, type ServerRow } from './server.ts'
import { requestSetup } from './setup.ts'
import { lockServerRow, tellWatcher, updateServerRow } from './store.ts'

/** Shows the host key while none is confirmed; after that logs in and has it set up. */
export async function connectServer(ctx: Context, actor: Actor, id: Id<'server'>) {
  const server = await getServerRow(ctx, actor, id)
  if (server.kind === 'local' || server.host_keys.length > 0) return present(await logIn(ctx, actor, server))
  return present(await showHostKey(ctx, server))
}

async function showHostKey(ctx: Context, server: ServerRow): Promise<ServerRow> {
  const [offered] = await readHostKeys(ctx, server)
  const { workspace_id, id } = server
  return changed(
    await updateServerRow(ctx.db, workspace_id, id, {
      offered_host_key: offered ?? null,
      reason: confirmFirst,
    }),
  )
}

/** What it shows now, preferred first. Nobody is logged in for that. */
export async function readHostKeys(ctx: Context, server: ServerRow): Promise<string[]> {
  if (server.address === null) throw conflict('no_address', `The server ${server.name} has no address yet.`)
  try {
    return await scanHostKeys(server.address, server.port)
  } catch (error) {
    throw await noteFailure(ctx, server, error)
  }
}

/** Logs in. What waited for it goes on: set-up where it was never done, use where it could not be reached. */
export async function logIn(ctx: Context, actor: Actor, server: ServerRow): Promise<ServerRow> {
  try {
    // Whoever watched it until a moment ago may have closed the new connection for the old one.
    await hostOf(ctx, server)
      .connect()
      .catch((error: unknown) => {
        if (!(error instanceof Lost)) throw error
        return hostOf(ctx, server).connect()
      })
  } catch (error) {
    throw await noteFailure(ctx, server, error)
  }
  return transaction(ctx.db, async (trx) => {
    const { workspace_id, id } = server
    const { status, name } = changed(await lockServerRow(trx, workspace_id, id))
    await tellWatcher(trx, workspace_id, id)
    if (status === 'unreachable')
      await emit(trx, actor, workspace_id, 'server.ready', { kind: 'server', id, name })
    const reached = await updateServerRow(trx, workspace_id, id, {
      ...(status === 'ready' || status === 'setting_up' ? {} : { reason: null }),
      ...(status === 'unreachable' ? { status: 'ready' } : {}),
      offered_host_key: null,
      last_seen_at: ctx.now(),
    })
    if (status === 'pending' || status === 'failed') await requestSetup(ctx, trx, actor, changed(reached))
    return changed(await lockServerRow(trx, workspace_id, id))
  })
}

/** Keeps why it failed where the server is shown; gives back what to tell the caller. */
async function noteFailure(ctx: Context, server: ServerRow, error: unknown): Promise<unknown> {
  const said = sayWhy(server, error)
  if (!(said instanceof Problem)) return said
  const { workspace_id, id, status } = server
  if (error instanceof HostKeyChanged)
    await updateServerRow(ctx.db, workspace_id, id, { offered_host_key: error.offered })
  // Of one that works, or is at work, the watcher and the set-up know more than a single attempt.
  if (status !== 'ready' && status !== 'setting_up')
    await updateServerRow(ctx.db, workspace_id, id, { reason: said.message })
  return said
}

export function changed(row: ServerRow | undefined): ServerRow {
  if (!row) throw notFound('This server')
  return row
}
