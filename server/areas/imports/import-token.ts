import type { Context } from '../../context.ts'
import { may } from '../../../contract/permissions.ts'
import { importTokenInvalid } from '../../errors.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { quote } from '../../remote/command.ts'
import { newKeyPair } from '../../remote/keys.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { scriptFor } from './script.ts'
import { findToken, type Found, insertToken, takeToken } from './store.ts'

const lifetime = 3_600_000
const place = (hash: string) => `import_tokens.key_sealed:${hash}`

/** A line to paste on a server. The key pair that the server will have is made now: the script brings it along. */
export async function createImportToken(ctx: Context, actor: Actor, name: string | undefined) {
  const token = newToken('imp')
  const hash = hashToken(token)
  const { privateKey, publicKey } = newKeyPair('slipway')
  const expiresAt = new Date(ctx.now().getTime() + lifetime)
  await insertToken(ctx.db, {
    token_hash: hash,
    workspace_id: actor.workspace.id,
    name: name ?? null,
    key_sealed: ctx.secrets.seal(place(hash), privateKey),
    public_key: publicKey,
    actor_id: actor.user.id,
    actor_name: actor.user.name,
    expires_at: expiresAt,
  })
  // Without -f: why it is refused comes as a script, too, which says so.
  const command = `curl -sSL ${quoted(`${ctx.config.PUBLIC_URL}/v1/import/server/${token}`)} | sh`
  return { token, command, expires_at: expiresAt.toISOString() }
}

/** In quotes even where it needs none: an address that people may change. */
const quoted = (url: string) => (quote([url]) === url ? `'${url}'` : quote([url]))

/** Works until it has served; it can be read as often as one likes. */
export async function getImportScript(ctx: Context, token: string): Promise<string> {
  const { public_key: publicKey } = usable(await findToken(ctx.db, hashToken(token)))
  return scriptFor({ url: ctx.config.PUBLIC_URL, token, publicKey })
}

export const getImportToken = async (db: Db, token: string) => usable(await findToken(db, hashToken(token)))

/** It is gone afterwards. */
export const takeImportToken = async (db: Db, token: string) => usable(await takeToken(db, hashToken(token)))

/** Whoever made it must still have the right to. */
function usable(found: Found | undefined): Found {
  if (!found || !may(found.role, 'servers.manage')) throw importTokenInvalid()
  return found
}

export const privateKeyOf = (ctx: Context, { token_hash: hash, key_sealed: sealed }: Found) =>
  ctx.secrets.open(place(hash), sealed)
