import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, hostKeyDiffers, serverChanged } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { fingerprintOf } from '../../remote/keys.ts'
import type { Actor } from '../../route.ts'
import { changed, logIn, readHostKeys } from './connect.ts'
import { getServerRow, present, type ServerRow } from './server.ts'
import { lockServerRow, updateServerRow } from './store.ts'

/** Pins the host key with this fingerprint, if the server shows it at this moment, and logs in. */
export async function trustHostKey(ctx: Context, actor: Actor, id: Id<'server'>, fingerprint: string) {
  const server = await getServerRow(ctx, actor, id)
  if (server.kind === 'local')
    throw conflict(
      'no_host_key',
      `The server ${server.name} is the machine that Slipway runs on: it has no host key.`,
    )
  const shown = await readHostKeys(ctx, server)
  const key = shown.find((one) => fingerprintOf(one) === fingerprint.trim())
  if (key === undefined) throw await offerInstead(ctx, server, shown[0] ?? null)
  const pinned = await pin(ctx, actor, server, key)
  ctx.hosts.forget(id)
  return present(await logIn(ctx, actor, pinned))
}

async function offerInstead(ctx: Context, server: ServerRow, offered: string | null) {
  await updateServerRow(ctx.db, server.workspace_id, server.id, { offered_host_key: offered })
  return hostKeyDiffers(server.name, offered === null ? 'none' : fingerprintOf(offered))
}

const pin = (ctx: Context, actor: Actor, server: ServerRow, key: string): Promise<ServerRow> =>
  transaction(ctx.db, async (trx) => {
    const { workspace_id, id, name } = server
    const now = changed(await lockServerRow(trx, workspace_id, id))
    // The key was read from where the server was then.
    if (now.version !== server.version) throw serverChanged(name)
    await emit(
      trx,
      actor,
      workspace_id,
      'server.host_key_trusted',
      { kind: 'server', id, name },
      fingerprintOf(key),
    )
    return changed(
      await updateServerRow(trx, workspace_id, id, {
        host_keys: [key],
        offered_host_key: null,
        version: now.version + 1,
      }),
    )
  })
