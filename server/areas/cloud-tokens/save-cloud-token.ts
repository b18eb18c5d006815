import type { z } from 'zod'
import type { createCloudToken, updateCloudToken } from '../../../contract/cloud-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { findProvider } from '../providers/providers.ts'
import {
  type CloudTokenRow,
  cloudTokenSealContext,
  cloudTokenTarget,
  getCloudTokenRow,
  getProvider,
  presentCloudToken,
} from './cloud-token.ts'
import { isTokenRejection } from './token-status.ts'
import {
  hasOrphanJobs,
  insertCloudToken,
  lockCloudTokenRow,
  lockTokenServers,
  type TokenServer,
  updateCloudTokenRow,
} from './store.ts'
import type { Db } from '../../tables.ts'

type New = z.output<(typeof createCloudToken)['body']>
type Changes = z.output<(typeof updateCloudToken)['body']>

export async function addCloudToken(ctx: Context, actor: Actor, given: New, signal: AbortSignal) {
  const { name, token } = given
  const provider = findProvider(given.provider)
  if (!provider) throw new Invalid({ provider: ['Unknown provider. Choose one of /v1/providers.'] })
  const { account } = await checkFirst(provider, { ctx, token, signal })
  const id = newId('cloudToken')
  const workspace_id = actor.workspace.id
  const row = await transaction(ctx.db, async (trx) => {
    const made = await insertCloudToken(trx, {
      id,
      workspace_id,
      name,
      provider: provider.id,
      token_sealed: ctx.secrets.seal(cloudTokenSealContext(id), token),
      account,
      error: null,
      checked_at: new Date(),
    })
    await emit(trx, actor, workspace_id, 'cloud_token.created', cloudTokenTarget(made), provider.name)
    return made
  })
  return presentCloudToken(ctx, row)
}

async function checkFirst(provider: Provider, account: Account) {
  try {
    return await provider.check(account)
  } catch (error) {
    throw isTokenRejection(error) ? new Invalid({ token: [error.message] }) : error
  }
}

export async function changeCloudToken(
  ctx: Context,
  actor: Actor,
  id: Id<'cloudToken'>,
  { name, token }: Changes,
  signal: AbortSignal,
) {
  const before = await getCloudTokenRow(ctx, actor, id)
  const { isSame, ...replaced } = token === undefined ? { isSame: true } : await replacedBy(token)
  const row = await transaction(ctx.db, async (trx) => {
    // The token may have changed during the check.
    const now = await lockCloudTokenRow(trx, actor.workspace.id, id)
    if (!now) throw notFound('This cloud token')
    if (token !== undefined && now.token_sealed !== before.token_sealed) throw changedMeanwhile(now.name)
    if (!isSame) await assertStillReplaceable(trx, now)
    const changes = { name: name ?? now.name, ...replaced }
    const changed = await updateCloudTokenRow(trx, actor.workspace.id, id, changes)
    if (!changed) throw notFound('This cloud token')
    await emit(trx, actor, actor.workspace.id, 'cloud_token.updated', cloudTokenTarget(changed))
    return changed
  })
  return presentCloudToken(ctx, row)

  async function replacedBy(other: string) {
    const provider = getProvider(before.provider)
    const opened = { ctx, token: other, signal }
    const { account } = await checkFirst(provider, opened)
    const isSame = await assertSameAccount(provider, opened, before, account)
    const token_sealed = ctx.secrets.seal(cloudTokenSealContext(id), other)
    return { isSame, token_sealed, account, error: null, checked_at: new Date() }
  }
}

const changedMeanwhile = (name: string) =>
  conflict(
    'cloud_token_changed',
    `Another user replaced the token ${name} at the same time, so your token was not saved. Check the token, then try again.`,
  )

interface TokenUse {
  servers: TokenServer[]
  known: string[]
  open: TokenServer[]
  strays: boolean
}

async function readNeeded(db: Db, { workspace_id, id }: CloudTokenRow): Promise<TokenUse> {
  const all = await lockTokenServers(db, workspace_id, id)
  const servers = all.filter((server) => server.cloud_status !== 'deleted' || server.duplicates.length > 0)
  return {
    servers,
    known: servers.flatMap(({ cloud_id, duplicates }) => [cloud_id ?? [], duplicates].flat()),
    open: servers.filter(isOpen),
    strays: await hasOrphanJobs(db, workspace_id, id),
  }
}

/** The key is uploaded before the create request, so a key means that a server may exist. */
const isOpen = ({ cloud_id, cloud_key_id, asked_at }: TokenServer) =>
  cloud_id === null && (cloud_key_id !== null || asked_at !== null)

const isFree = ({ known, open, strays }: TokenUse) => known.length === 0 && open.length === 0 && !strays

/**
 * With a token of another account, servers would look deleted and pending creations would be repeated. The account is
 * recognized by its servers and keys, since some providers do not identify it. Returns false if the account is unproven
 * but nothing can be lost.
 */
async function assertSameAccount(
  provider: Provider,
  account: Account,
  row: CloudTokenRow,
  name: string | null,
): Promise<boolean> {
  const needed = await readNeeded(account.ctx.db, row)
  const isNamedSo = name !== null && name === row.account
  const isNamedOtherwise = name !== null && row.account !== null && name !== row.account
  if (isFree(needed)) {
    if (needed.servers.length > 0 && isNamedOtherwise) throw otherAccount(row, provider, needed.servers)
    return isNamedSo
  }
  if (await isKnownThere(provider, account, needed)) return true
  if (needed.known.length === 0 && isNamedSo) return true
  const { open } = needed
  if (needed.known.length > 0 || isNamedOtherwise) throw otherAccount(row, provider, needed.servers)
  throw unproven(row, provider, open)
}

async function isKnownThere(provider: Provider, account: Account, { servers, known, open }: TokenUse) {
  const ours = new Set<string>(servers.map(({ id }) => id))
  const there = await provider.listServers(account)
  if (there.some(({ id, serverId }) => known.includes(id) || (serverId !== null && ours.has(serverId))))
    return true
  for (const { public_key } of open)
    if (public_key !== null && (await provider.findKey(account, public_key)) !== undefined) return true
  return false
}

/** Checks again under the lock: a creation may have started meanwhile. */
async function assertStillReplaceable(db: Db, row: CloudTokenRow): Promise<void> {
  const needed = await readNeeded(db, row)
  if (isFree(needed)) return
  throw conflict(
    'cloud_token_in_use',
    `A server is being created with ${row.name}, so the token was not replaced. Try again shortly.`,
  )
}

function otherAccount({ name }: CloudTokenRow, provider: Provider, servers: TokenServer[]): Invalid {
  const through = servers.length === 0 ? '' : `, which manages ${some(servers)}`
  return new Invalid({
    token: [
      `This token belongs to another ${provider.name} account than the token ${name}${through}. Add it as a new token.`,
    ],
  })
}

function unproven({ name }: CloudTokenRow, provider: Provider, open: TokenServer[]): Invalid {
  const [what, then] =
    open.length === 0
      ? ['still needs that token to destroy an orphaned server', 'Wait until the server is destroyed']
      : [
          `does not know yet whether ${some(open)} ${open.length === 1 ? 'was' : 'were'} created with that token`,
          `Wait until the check is done, delete ${open.length === 1 ? 'that server' : 'those servers'} first`,
        ]
  return new Invalid({
    token: [
      `Slipway cannot verify that this token belongs to the same ${provider.name} account as ${name}, and ${what}. ${then}, or add this token as a new one.`,
    ],
  })
}

function some(servers: TokenServer[]): string {
  const first = servers.slice(0, 3).map(({ name }) => name)
  const more = servers.length > 3 ? ` and ${servers.length - 3} more` : ''
  return `${first.join(', ')}${more}`
}
