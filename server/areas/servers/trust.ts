import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, hostKeyDiffers, serverChanged } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'
import { hostKeyType } from '../../remote/ssh/host-key.ts'
import type { Actor } from '../../route.ts'
import { requireServerRow, logInToServer, readHostKey } from './connect.ts'
import { getServerRow, presentServer, type ServerRow } from './server.ts'
import { lockServerRow, updateServerRow, updateIfSameVersion } from './store.ts'
import { assertServerUsable } from './assert-server-usable.ts'

/** Pins the host key with this fingerprint if the server presents it now, and logs in. */
export async function trustHostKey(ctx: Context, actor: Actor, id: Id<'server'>, fingerprint: string) {
  const server = await getServerRow(ctx, actor, id)
  assertServerUsable(server)
  if (server.kind === 'local')
    throw conflict(
      'no_host_key',
      `The server ${server.name} is the machine that Slipway runs on, so it has no host key.`,
    )
  const key = await shownNow(ctx, server)
  if (key === undefined || keyFingerprint(key) !== fingerprint.trim())
    throw await offerInstead(ctx, server, key ?? null)
  return presentServer(ctx, await logInToServer(ctx, actor, await pin(ctx, actor, server, key)))
}

async function shownNow(ctx: Context, server: ServerRow): Promise<string | undefined> {
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
    const now = requireServerRow(await lockServerRow(trx, workspace_id, id))
    // The key was read at the old address.
    if (now.version !== server.version) throw serverChanged(name)
    await emit(
      trx,
      actor,
      workspace_id,
      'server.host_key_trusted',
      { kind: 'server', id, name },
      keyFingerprint(key),
    )
    return requireServerRow(
      await updateServerRow(trx, workspace_id, id, {
        host_keys: [key],
        offered_host_key: null,
        version: now.version + 1,
        ...(now.host_keys.includes(key) ? {} : { machine: null }),
      }),
    )
  })
