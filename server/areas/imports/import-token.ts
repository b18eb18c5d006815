import type { Context } from '../../context.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { conflict, importTokenInvalid } from '../../errors.ts'
import { toActorColumns, type Initiator } from '../../events.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import { quoteForShell } from '../../remote/command.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import type { Actor, Anonymous } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { assertNotDeleting } from '../servers/assert-server-usable.ts'
import { listSetupChanges } from '../servers/set-up/setup-changes.ts'
import { assertPlanLimit } from '../workspaces/plan-limits.ts'
import { findImportToken, type ImportTokenDetails, insertImportToken, markTokenUsed } from './store.ts'
import { readScript } from '../../platform/read-script.ts'

const lifetime = 3_600_000
/** Lifetime for cloud servers, whose first boot may be late. */
const longLifetime = 24 * lifetime
const place = (hash: string) => `import_tokens.key_sealed:${hash}`

interface For {
  name?: string | undefined
  server_id?: Id<'server'> | undefined
}

export async function createImportToken(ctx: Context, actor: Actor, input: For) {
  const { name, server_id: serverId } = input
  const token = newToken('imp')
  const expiresAt = new Date(ctx.now().getTime() + lifetime)
  const keys = serverId === undefined ? newKeys(ctx, token) : await unreached(ctx, actor, serverId)
  await transaction(ctx.db, async (trx) => {
    // The limit is checked now, so that the user does not learn about it on the server.
    if (serverId === undefined) await assertPlanLimit(ctx, trx, actor.workspace.id, 'servers')
    await insertImportToken(trx, {
      token_hash: hashToken(token),
      workspace_id: actor.workspace.id,
      name: name ?? null,
      ...keys,
      actor_id: actor.user.id,
      actor_name: actor.user.name,
      expires_at: expiresAt,
    })
  })
  // The command has no -f, because errors arrive as a script that prints them. A shell builtin keeps the token out of
  // the process list.
  const command = `printf 'url = "%s"\\n' ${quoted(toScriptUrl(ctx, token))} | curl -sSL -K - | sh -s ${setUpWord}`
  return { token, command, expires_at: expiresAt.toISOString() }
}

const toScriptUrl = ({ config }: Context, token: string) => `${config.PUBLIC_URL}/v1/import/server/${token}`

/** This word makes the consent to the setup visible in the command. */
const setUpWord = 'set-up'

/** Quotes every URL, because users may edit it. */
const quoted = (url: string) => (quoteForShell([url]) === url ? `'${url}'` : quoteForShell([url]))

/** Creates the key pair with the token, because the import script contains the public key. */
function newKeys(ctx: Context, token: string) {
  const { privateKey, publicKey } = newKeyPair('slipway')
  return { key_sealed: ctx.secrets.seal(place(hashToken(token)), privateKey), public_key: publicKey }
}

async function unreached(ctx: Context, actor: Actor, id: Id<'server'>) {
  const server = await getServerRow(ctx, actor, id)
  assertNotDeleting(server)
  const isUnreached =
    server.kind === 'ssh' &&
    server.host_keys.length === 0 &&
    ['pending', 'provisioning', 'failed'].includes(server.status)
  if (!isUnreached)
    throw conflict(
      'server_known',
      `The host key of ${server.name} is already confirmed, so the server needs no import command. Connect to the server instead.`,
    )
  return { server_id: server.id }
}

export async function createCloudImportToken(
  ctx: Context,
  db: Db,
  server: Pick<ServerRow, 'id' | 'workspace_id'>,
): Promise<{ url: string; hash: string }> {
  const token = newToken('imp')
  const hash = hashToken(token)
  await insertImportToken(db, {
    token_hash: hash,
    workspace_id: server.workspace_id,
    server_id: server.id,
    ...toActorColumns('slipway'),
    actor_id: null,
    expires_at: new Date(ctx.now().getTime() + longLifetime),
  })
  return { url: toScriptUrl(ctx, token), hash }
}

export const deleteCloudImportToken = (db: Db, workspaceId: Id<'workspace'>, hash: string) =>
  db
    .deleteFrom('import_tokens')
    .where('workspace_id', '=', workspaceId)
    .where('token_hash', '=', hash)
    .execute()

export async function getImportScript(ctx: Context, token: string): Promise<string> {
  const { public_key: publicKey } = await getImportToken(ctx.db, token)
  if (publicKey === null) throw importTokenInvalid()
  return scriptFor({ url: ctx.config.PUBLIC_URL, token, publicKey, changes: listSetupChanges(ctx) })
}

export const getImportToken = async (db: Db, token: string) =>
  usable(await findImportToken(db, hashToken(token)))

export const consumeImportToken = async (db: Db, token: string) =>
  usable(await markTokenUsed(db, hashToken(token)))

function usable(details: ImportTokenDetails | undefined): ImportTokenDetails {
  if (!details) throw importTokenInvalid()
  if (details.actor_id !== null && (details.role === null || !roleAllows(details.role, 'servers.manage')))
    throw importTokenInvalid()
  return details
}

export function toImportInitiator(
  { actor_id: id, user_name: name, user_email: email }: ImportTokenDetails,
  anonymous: Anonymous,
): Initiator {
  if (id === null || name === null || email === null) return 'slipway'
  return { user: { id, name, email }, address: anonymous.address }
}

export function openImportKeys(
  ctx: Context,
  { token_hash: hash, key_sealed: sealed, public_key }: ImportTokenDetails,
) {
  if (sealed === null || public_key === null) throw importTokenInvalid()
  return { privateKey: ctx.secrets.open(place(hash), sealed), publicKey: public_key }
}

interface ScriptInput {
  url: string
  token: string
  publicKey: string
  changes: ReturnType<typeof listSetupChanges>
}

const scriptFor = (input: ScriptInput): string => `#!/bin/sh
slipway_url=${quoteForShell([input.url])}
slipway_token=${quoteForShell([input.token])}
slipway_key=${quoteForShell([input.publicKey])}
slipway_changes=${quoteForShell([input.changes.map(({ kind, name, text }) => `  ${kind} ${name}: ${text}`).join('\n')])}

${readScript('import.sh')}`
